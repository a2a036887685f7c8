"""Rules that are never live: their guard is unsatisfiable, or they are defeated wherever it holds.

The unit chart is not used: a shared rule about wings is not dead because this game's counters have none. A rule of
several terms is examined with its first. A reading may intend to defeat a rule everywhere, and so may a rule of a
higher layer without a guard; one with a guard presumably does not intend it, nor does one that only inherits its
exceptions from the rule it replaces.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.analysis.checks import check_of_term
from compiler.analysis.condition_texts import exclusion_text
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.analysis.solve import minimal_conflict
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts


@finding("R0502", "dead-rule", WARNING)
class DeadRule(Finding):
    """The guard of this rule is unsatisfiable: `clashing` are those of its conditions that exclude one another."""

    rule: Party
    clashing: tuple[str, ...]

    def sentence(self) -> Sentence:
        reason = (
            exclusion_text(self.clashing) if 0 < len(self.clashing) <= MOST_NAMES else "its condition is never true"
        )
        return Sentence(
            f"`{self.rule.label}` never applies: {reason}",
            (party_label(self.rule),),
            "correct the condition, or delete the rule",
            # A condition that never holds by itself is most often wrong where it is defined.
            root=f"never {self.clashing[0]}" if len(self.clashing) == 1 else "",
        )


@finding("R0503", "always-defeated", WARNING)
class RuleAlwaysDefeated(Finding):
    """Whenever the guard of this rule is true, so is one of these defeaters; `more` rules share a defeater with it."""

    rule: Party
    defeaters: tuple[Party, ...]
    more: tuple[Party, ...] = ()

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.rule.label}` never applies, as {list_words(tuple(p.label for p in self.defeaters))} always "
            "overrules it",
            (
                party_label(self.rule),
                *(party_label(party) for party in self.defeaters),
                *(
                    party_label(party, f"`{party.label}` never applies either")
                    for party in self.more[:MOST_NAMES]
                    if party not in self.defeaters
                ),
            ),
            _advice(self.rule, self.defeaters[0]) if self.defeaters else "",
        )


_OVERRULES = frozenset({"exception", "suppresses"})


@check_of_term
def dead_rule(proof_context: ProofContext) -> Iterator[DeadRule | RuleAlwaysDefeated]:
    """Find rules of a term that cannot be live."""
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    for rule in proof_context.rules:
        if not proof_context.is_first_term_of(rule):
            continue
        if not proof_context.is_satisfiable(proof_context.guards[rule.label]):
            yield DeadRule(writer.rule_party(rule), tuple(map(writer.text, _clashing(proof_context, rule))))
        elif not proof_context.is_satisfiable(proof_context.live[rule.label]):
            defeaters = proof_context.laws.defeaters_in_term(rule)
            if not any(_withdraws(other, rule) for other in defeaters):
                yield RuleAlwaysDefeated(
                    writer.rule_party(rule), tuple(writer.rule_party(other) for other in defeaters)
                )


def merge_by_defeater(found: Iterable[RuleAlwaysDefeated]) -> Iterator[RuleAlwaysDefeated]:
    """Merge the findings about rules with a common defeater: the condition of that rule is too wide."""
    left = sorted(found, key=lambda each: len(each.defeaters))
    while left:
        first, *rest = left
        same = [each for each in rest if not set(first.defeaters).isdisjoint(each.defeaters)]
        yield replace(first, more=tuple(each.rule for each in same))
        left = [each for each in rest if each not in same]


def _withdraws(other: graph.Rule, rule: graph.Rule) -> bool:
    """Return whether a rule may intend to defeat another one everywhere."""
    written = any(verb in _OVERRULES for verb, _ in other.relations)
    return bool(other.reading) or (other.origin.layer != rule.origin.layer and other.guard is None and written)


def _clashing(proof_context: ProofContext, rule: graph.Rule) -> tuple[graph.Expr, ...]:
    """Return the conditions of a dead rule that exclude one another."""
    names = with_names(rule, {})
    formulas = {
        part: proof_context.translator.translate_expression(normalize(part, names)) for part in conjuncts(rule.guard)
    }

    def is_unsatisfiable(*parts: graph.Expr) -> bool:
        return not proof_context.is_satisfiable(*(formulas[part] for part in parts))

    return minimal_conflict(tuple(formulas), is_unsatisfiable)


def _advice(rule: Party, defeater: Party) -> str:
    """Return the advice for a rule that another one defeats whenever it would be live."""
    above = rule.origin.layer != defeater.origin.layer
    given_up = f"write `withdraws {rule.label}`" if above else f"delete `{rule.label}`"
    return f"narrow the condition of `{defeater.label}`, or {given_up}"
