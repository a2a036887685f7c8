"""Disjuncts that are redundant, since wherever one holds another disjunct holds.

In: a stack, and its question sites. Out: such disjuncts, each with those that hold wherever it does. The unit chart and
the answers of rules are not used, as with other nested conditions (never_holds.py).
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.expression_text import Writer
from compiler.analysis.facts import facts_of
from compiler.analysis.idle_code import AbsorbedCondition
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import NestedCondition, conditions_inside, nested_conditions
from compiler.analysis.normal_form import normalize
from compiler.analysis.question_sites import QuestionSite
from compiler.analysis.solve import minimal_conflict, solve
from compiler.analysis.translate import Translator, negation_of
from runtime.graph import nodes as graph


def redundant_disjuncts(laws: Laws, sites: Iterable[QuestionSite], intervals: Intervals) -> Iterator[AbsorbedCondition]:
    """Find redundant disjuncts."""
    text = Writer(laws.stack.vocabulary).text
    for site in sites:
        conditions = (conditions_inside if site.condition else nested_conditions)(site.expr, site.scope, laws.stack)
        for each in conditions:
            if each.form == "either":
                for side, covering_sides in _redundant_sides(laws, each, intervals):
                    yield AbsorbedCondition(site.party, site.step, text(side), tuple(map(text, covering_sides)))


def _redundant_sides(
    laws: Laws, either: NestedCondition, intervals: Intervals
) -> Iterator[tuple[graph.Expr, tuple[graph.Expr, ...]]]:
    """List the redundant disjuncts, the last first; those that a reported one depends on are not reported."""
    assert isinstance(either.written, graph.Op)
    translator = Translator(laws, either.scope.types, intervals, deepest=0)
    sides = {
        side: translator.translate_expression(normalize(side, either.scope.names)) for side in either.written.arguments
    }
    facts = facts_of(translator)
    left = list(sides)
    for side in reversed(tuple(sides)):
        others = tuple(other for other in left if other is not side)

        def is_covered(*others: graph.Expr, side: graph.Expr = side) -> bool:
            return solve(translator.space, sides[side], *(negation_of(sides[each]) for each in others), *facts) is None

        if others and not is_covered() and is_covered(*others):
            left.remove(side)
            yield side, minimal_conflict(others, is_covered)
