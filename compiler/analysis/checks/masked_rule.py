"""A rule that is never needed: whenever it speaks, another one says the same.

Only rules that say the same in the same words are compared, and only where the other asks nothing that this
one does not ask: a few cases may be missed, none is invented. In a sum both would count.
"""

from collections.abc import Iterator
from itertools import permutations

from compiler.analysis.formula import unknowns_in
from compiler.analysis.normal import normal, with_names
from compiler.analysis.problems import DuplicateRule, MaskedRule, Problem
from compiler.analysis.proofs import Desk
from compiler.analysis.translate import no
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph

FORMS = {"value", "verdict", "condition", "flag"}


def masked_rule(desk: Desk) -> Iterator[Problem]:
    """Find rules of a term that another rule makes superfluous."""
    if desk.term.form not in FORMS:
        return
    writer = Writer(desk.laws.stack.vocabulary)
    own = [rule for rule in desk.rules if rule.verb and rule.terms[0] == desk.term.name]
    said = {rule.label: _said(rule, writer) for rule in own}
    asked = {rule.label: unknowns_in(desk.live[rule.label]) for rule in own}
    told: set[str] = set()
    for rule, other in permutations(sorted(own, key=_place, reverse=True), 2):
        if (
            rule.label not in told
            and other.label not in told
            and said[rule.label][0] == said[other.label][0]
            and said[rule.label] != said[other.label]
            and set(rule.defeats) <= set(other.defeats)
            and asked[other.label] <= asked[rule.label]
            and _implies(desk, rule, other)
        ):
            told.add(rule.label)
            both = set(rule.defeats) == set(other.defeats) and _implies(desk, other, rule)
            kind = DuplicateRule if both else MaskedRule
            yield kind(writer.party(rule), writer.party(other))


def _said(rule: graph.Rule, writer: Writer) -> tuple[object, object]:
    """Write what a rule says, and when."""
    names = with_names(rule, {})
    value, guard = (None if part is None else writer.text(normal(part, names)) for part in (rule.value, rule.guard))
    return (rule.verb, value), (guard, frozenset(rule.defeats))


def _implies(desk: Desk, rule: graph.Rule, other: graph.Rule) -> bool:
    """Prove that the other rule is live whenever this one is, and that this one is live at times."""
    mine, theirs = desk.live[rule.label], desk.live[other.label]
    return desk.possible(mine, no(theirs)) is None and desk.possible(mine) is not None


def _place(rule: graph.Rule) -> tuple[str, int, int]:
    return rule.origin.file, rule.origin.line, rule.origin.column
