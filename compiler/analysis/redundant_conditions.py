"""Redundant conditions: unsatisfiable, repeated, or absorbed ones, and comparisons of a thing with itself.

In: the laws of a stack, and the summaries of its procedures. Out: findings, within the budget of each place.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.facts import facts_of
from compiler.analysis.idle_code import AbsorbedCondition, HoldsAnyway, NeverHolds, SaidTwice, TooMuchToProve
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import NestedCondition, conditions_inside, nested_conditions
from compiler.analysis.never_holds import never_holds
from compiler.analysis.normal_form import normalize
from compiler.analysis.problems import Problem
from compiler.analysis.question_sites import QuestionSite, Source, question_sites_of, sources_in, sources_of
from compiler.analysis.ranged_writes import ProcedureSummaries
from compiler.analysis.repeated_conditions import repeated_conditions
from compiler.analysis.solve import minimal_conflict, solve
from compiler.analysis.translate import Translator, negation_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# The most disjuncts of which each is compared with all others.
MOST_SIDES = 100
REFLEXIVE = {"=", "<=", ">="}


def redundant_conditions(laws: Laws, reading: ProcedureSummaries, intervals: Intervals) -> Iterator[Problem]:
    """Find redundant conditions; an `or` that is always true by a side reported already is not reported."""

    def in_source(source: Source) -> Callable[[], tuple[Problem, ...]]:
        return partial(_redundant_in, laws, source, intervals)

    def in_procedure(key: str) -> tuple[Problem, ...]:
        sources = sources_in(reading.summary_of(key))
        each_found = (laws.recording.query("redundant", each, in_source(each)) for each in sources)
        return tuple(chain.from_iterable(each_found))

    recording = laws.recording
    nothing: tuple[tuple[Problem, ...]] = ((),)
    found = [
        *(recording.prove("redundant", each, in_source(each), nothing)
          for each in sources_of(laws.stack)),
        *(recording.prove("redundant", procedure, partial(in_procedure, key), nothing, key)
          for key, procedure in laws.stack.procedures.items()),
    ]  # fmt: skip
    problems = tuple(chain.from_iterable(found))
    twice = [each for each in problems if isinstance(each, SaidTwice)]
    reported_disjunctions = {(each.procedure, each.disjunction) for each in twice}
    reported_places = {(each.procedure, each.step) for each in twice}
    yield from (
        each
        for each in problems
        if isinstance(each, NeverHolds)
        and (each.form != "either" or (each.procedure, each.clashing[0]) not in reported_disjunctions)
    )
    yield from twice
    for kind in (HoldsAnyway, AbsorbedCondition):
        yield from (
            each for each in problems if isinstance(each, kind) and (each.procedure, each.step) not in reported_places
        )
    yield from (each for each in problems if isinstance(each, TooMuchToProve))


def _redundant_in(laws: Laws, source: Source, intervals: Intervals) -> tuple[Problem, ...]:
    """Find the redundant conditions of a rule, a term, a relation or a step, within a budget."""
    sites = tuple(question_sites_of(source, laws.stack))
    found: list[Problem] = []
    proof_budget = budget()
    try:
        with proof_budget:
            found.extend(repeated_conditions(laws.stack, sites))
            found.extend(never_holds(laws, sites, intervals))
            found.extend(self_comparisons(laws, sites))
            found.extend(redundant_disjuncts(laws, sites, intervals))
    except OutOfSteps:
        widest = max(sites, key=lambda site: _size(site.expr))
        size = _size(widest.expr)
        found.append(TooMuchToProve(widest.party, widest.step, "conditions", size, proof_budget.steps))
    return tuple(found)


def _size(expr: graph.Expr) -> int:
    """Count the tests, terms and operators in an expression."""
    return sum(1 for part in walk(expr) if isinstance(part, graph.Is | graph.Has | graph.Ask | graph.Op))


def self_comparisons(laws: Laws, sites: Iterable[QuestionSite]) -> Iterator[HoldsAnyway]:
    """Find comparisons of an expression with itself that always hold: `l.side = l.side`."""
    text = ExpressionWriter(laws.stack.vocabulary).text
    for site in sites:
        for node in walk(site.expr):
            if isinstance(node, graph.Op) and node.op in REFLEXIVE and node.arguments[0] == node.arguments[1]:
                yield HoldsAnyway(site.party, site.step, text(node))


# ---------------------------------------------------------------- disjuncts
# Of 4,149 alterations of guards in six games, this reports 43, six of them as the only one of these conditions.


def redundant_disjuncts(laws: Laws, sites: Iterable[QuestionSite], intervals: Intervals) -> Iterator[AbsorbedCondition]:
    """Find redundant disjuncts."""
    text = ExpressionWriter(laws.stack.vocabulary).text
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
    if len(either.written.arguments) > MOST_SIDES:
        return
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
