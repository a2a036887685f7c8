"""Equivalent mutants: proved by the compiler, or listed in the manifest of a layer with a reason.

In: surviving mutants. Out: those that no example can detect. The proofs of `check` can show that the condition of
a rule and the altered one are equivalent, and that no rule reads a fact of a card.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import laws_of
from compiler.analysis.proof_context import open_proof_context
from compiler.analysis.translate import conjunction_of, negation_of
from compiler.layered.layer_selection import layers_of_stack
from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.checks.mutation.mutant_text import TAKEN_OUT, altered_text, original_text, subject_text
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.mutation.card_mutants import card_facts_read
from runtime.mutation.expression_mutants import REMOVED
from runtime.mutation.mutant import LINE, Mutant

Key = tuple[Any, ...]
ORIGINAL, ALTERED = "original", "altered"
# What was looked at.
UNREAD_LINE = "no rule, procedure or `always` fact reads this line of the situation"
SAME_CONDITION = "both conditions hold in the same positions, as the types and `always` facts allow them"


@frozen_dataclass
class EquivalentEntry:
    """An entry under `equivalent` in a manifest: the alteration, the altered thing, and why the mutant is equivalent.

    `nth` selects one of several places with the same alteration; 0 is all of them. The subject has no number of a hook,
    which would list the mutant in some stacks only.
    """

    layer: str
    subject: str
    original: str
    replacement: str
    reason: str
    nth: int
    span: Span

    def matches(self, mutant: Mutant, nth: int, rules: graph.Graph) -> bool:
        """Return whether the entry lists a mutant, the `nth` of those with the same text."""
        return (
            self.nth in (0, nth)
            and self.subject == name_without_number(subject_text(mutant))
            and self.original == original_text(mutant, rules)
            and self.replacement == altered_text(mutant, rules)
        )


def name_without_number(name: str) -> str:
    """Return a name without the number of a hook, which depends on the stack."""
    return name.partition("#")[0]


def number_mutants(mutants: Iterable[Mutant]) -> Iterator[int]:
    """Yield the index of each mutant among those of the same text in one thing, or in hooks of a layer at one event."""
    count: Counter[Key] = Counter()
    for each in map(mutant_key, mutants):
        count[each] += 1
        yield count[each]


def mutant_key(mutant: Mutant) -> Key:
    """Return the common key of mutants with the same text."""
    return (
        mutant.kind,
        name_without_number(mutant.name),
        mutant.key,
        mutant.origin.layer,
        mutant.original,
        mutant.replacement,
    )


def listed_entries(library: Library, stack: str) -> Iterator[EquivalentEntry]:
    """Yield the entries of the layers of a stack."""
    for layer in layers_of_stack(library, stack):
        for each in layer.equivalent:
            new_text = (
                REMOVED if each.now == TAKEN_OUT else each.now
            )  # Manifests use the phrase of reports for a removal.
            yield EquivalentEntry(layer.name.text, each.at, each.was, new_text, each.why, each.nth, each.span)


def equivalence_proof(mutant: Mutant, rules: graph.Graph) -> str:
    """Return what was looked at to prove a mutant equivalent; "" if that was not proved."""
    if mutant.kind == LINE and mutant.key:
        return UNREAD_LINE if mutant.key not in card_facts_read(rules) else ""
    return SAME_CONDITION if _same_condition(mutant, rules) else ""


def _same_condition(mutant: Mutant, rules: graph.Graph) -> bool:
    """Return whether the altered condition of a rule is provably equivalent to the original."""
    rule = rules.rules.get(mutant.name)
    if rule is None or rule.guard is None or mutant.root is not rule.guard or len(rule.terms) != 1:
        return False
    pair = [replace(rule, label=label, defeats=(), verb="", value=None) for label in (ORIGINAL, ALTERED)]
    pair[1] = replace(pair[1], guard=mutant.probe)
    term = replace(rules.terms[rule.terms[0]], rules=(ORIGINAL, ALTERED))
    laws = laws_of(
        replace(
            rules, rules={**rules.rules, **{each.label: each for each in pair}}, terms={**rules.terms, term.name: term}
        )
    )
    context = open_proof_context(laws, term, Intervals(laws.stack, recording=laws.recording))
    original, altered = context.guards[ORIGINAL], context.guards[ALTERED]
    return not context.is_satisfiable(conjunction_of(original, negation_of(altered))) and not context.is_satisfiable(
        conjunction_of(altered, negation_of(original))
    )
