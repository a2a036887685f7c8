"""Mutants that say the same as the rules: proved by the compiler, or listed in the manifest of a layer with a reason.

In: mutants that no example notices. Out: which of them no example can notice. Proved is what the proofs of `check` can
tell: that the condition of a rule and the altered one hold in the same positions; and that nothing reads what a card
says, or a region.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import laws_of
from compiler.analysis.proofs import open_proof_context
from compiler.analysis.translate import all_of, negation_of
from compiler.layered.layer_selection import choose_layers, parse_request
from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.mutation.mutant_text import TAKEN_OUT, now_text, subject_text, was_text
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.mutation.cards import region_key
from runtime.mutation.expressions import GONE
from runtime.mutation.mutant import LINE, REGION, Mutant

Key = tuple[Any, ...]
ORIGINAL, ALTERED = "original", "altered"


@dataclass(frozen=True, slots=True)
class EquivalentEntry:
    """An entry under `equivalent` in a manifest: what is altered to what, in which thing, and why that is the same.

    `nth` says which, where the same stands in several places of the thing; 0: all of them.
    """

    layer: str
    at: str
    was: str
    now: str
    why: str
    nth: int
    span: Span

    def matches(self, mutant: Mutant, nth: int, rules: graph.Graph) -> bool:
        """Return whether a mutant, which is the `nth` of those that read the same, is one that is listed."""
        return (
            self.nth in (0, nth)
            and self.at in (subject_text(mutant), name_without_number(subject_text(mutant)))
            and self.was == was_text(mutant, rules)
            and self.now == now_text(mutant, rules)
        )


def name_without_number(name: str) -> str:
    """Return a name without the number that a hook has in one stack."""
    return name.partition("#")[0]


def number_mutants(mutants: Iterable[Mutant]) -> Iterator[int]:
    """Number mutants that read the same: in one thing, or in all hooks of a layer at one event, as they stand."""
    count: Counter[Key] = Counter()
    for each in map(mutant_key, mutants):
        count[each] += 1
        yield count[each]


def mutant_key(mutant: Mutant) -> Key:
    """Return what mutants that read the same have in common."""
    return (mutant.what, name_without_number(mutant.name), mutant.key, mutant.origin.layer, mutant.was, mutant.now)


def listed_entries(library: Library, stack: str) -> Iterator[EquivalentEntry]:
    """List the entries of the layers of a stack."""
    for layer in choose_layers(library.layers, parse_request(stack))[0]:
        for each in layer.equivalent:
            now = GONE if each.now == TAKEN_OUT else each.now  # Reports have words for nothing.
            yield EquivalentEntry(layer.name.text, each.at, each.was, now, each.why, each.nth, each.span)


def proved_same(mutant: Mutant, rules: graph.Graph) -> bool:
    """Return whether it is proved that a mutant says the same."""
    if mutant.what in (LINE, REGION) and mutant.key:
        return not any(
            _card_part(node) == mutant.key
            for node in walk((rules.rules, rules.terms, rules.procedures, rules.vocabulary.relations))
        )
    return _same_condition(mutant, rules)


def _card_part(node: object) -> str:
    """Name the fact or the region of a card that a node reads, as mutants of cards name it; "" if it reads none."""
    match node:
        case graph.GameTrack(owner=owner, name=name):
            return f"{owner}.{name}"
        case graph.Spot("region", name):
            return region_key(name)
        case _:
            return ""


def _same_condition(mutant: Mutant, rules: graph.Graph) -> bool:
    """Return whether the altered condition of a rule is proved to hold where the condition does."""
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
    one, other = context.guards[ORIGINAL], context.guards[ALTERED]
    return not context.is_satisfiable(all_of(one, negation_of(other))) and not context.is_satisfiable(
        all_of(other, negation_of(one))
    )
