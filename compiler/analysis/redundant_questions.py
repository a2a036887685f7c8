"""Redundant conditions: unsatisfiable, implied, repeated, or absorbed ones.

In: the laws of a stack, and the summaries of its procedures. Out: findings, within the budget of each place.
"""

from collections.abc import Iterator
from dataclasses import fields
from functools import partial, reduce

from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.idle_code import AbsorbedCondition, HoldsAnyway, NeverHolds, SaidTwice, TooMuchToProve
from compiler.analysis.implied_conjuncts import implied_conjuncts, self_comparisons
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.never_holds import never_holds
from compiler.analysis.problems import Problem
from compiler.analysis.question_sites import Source, sources_in, sources_of, speakers_of
from compiler.analysis.ranged_writes import ProcedureSummaries
from compiler.analysis.redundant_conditions import repeated_conditions
from compiler.analysis.redundant_disjuncts import redundant_disjuncts
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.walk import walk


@dataclass(frozen=True, slots=True)
class _RedundantQuestions:
    """The redundant conditions of one place."""

    unsatisfiable: tuple[NeverHolds, ...]
    repetitions: tuple[SaidTwice, ...]
    implied: tuple[HoldsAnyway, ...]
    absorbed: tuple[AbsorbedCondition, ...]
    exhausted_proofs: tuple[TooMuchToProve, ...]

    def with_(self, other: "_RedundantQuestions") -> "_RedundantQuestions":
        """Return the union with the findings of another place."""
        return _RedundantQuestions(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


NEVER_IN_VAIN = _RedundantQuestions((), (), (), (), ())


def redundant_questions(laws: Laws, reading: ProcedureSummaries, intervals: Intervals) -> Iterator[Problem]:
    """Find redundant conditions; an `or` that is always true by a side reported already is not reported."""

    def questions_in_source(source: Source) -> _RedundantQuestions:
        return _redundant_in(laws, source, intervals)

    def questions_in_procedure(key: str) -> _RedundantQuestions:
        sources = sources_in(reading.summary_of(key))
        each_found = (laws.recording.query("vain", each, partial(questions_in_source, each)) for each in sources)
        return reduce(_RedundantQuestions.with_, each_found, NEVER_IN_VAIN)

    recording, nothing = laws.recording, (NEVER_IN_VAIN,)
    found = [
        recording.prove("vain", each, partial(questions_in_source, each), nothing) for each in sources_of(laws.stack)
    ]
    found += [
        recording.prove("vain", procedure, partial(questions_in_procedure, key), nothing, key)
        for key, procedure in laws.stack.procedures.items()
    ]
    twice = [repetition for each in found for repetition in each.repetitions]
    reported_disjunctions = {(each.procedure, each.disjunction) for each in twice}
    never = (each for vain in found for each in vain.unsatisfiable)
    yield from (
        each
        for each in never
        if each.form != "either" or (each.procedure, each.clashing[0]) not in reported_disjunctions
    )
    yield from twice
    reported_places = {(each.procedure, each.step) for each in twice}
    yield from (each for vain in found for each in vain.implied if (each.procedure, each.step) not in reported_places)
    yield from (each for vain in found for each in vain.absorbed if (each.procedure, each.step) not in reported_places)
    yield from (each for vain in found for each in vain.exhausted_proofs)


def _redundant_in(laws: Laws, source: Source, intervals: Intervals) -> _RedundantQuestions:
    """Find the redundant conditions of a rule, a term, a relation or a step, within a budget."""
    speakers = tuple(speakers_of(source, laws.stack))
    never: list[NeverHolds] = []
    twice: list[SaidTwice] = []
    anyway: list[HoldsAnyway] = []
    absorbed: list[AbsorbedCondition] = []
    given_up: tuple[TooMuchToProve, ...] = ()
    proof_budget = budget()
    try:
        with proof_budget:
            twice.extend(repeated_conditions(laws.stack, speakers))
            never.extend(never_holds(laws, speakers, intervals))
            anyway.extend(self_comparisons(laws, speakers))
            anyway.extend(implied_conjuncts(laws, speakers, intervals))
            absorbed.extend(redundant_disjuncts(laws, speakers, intervals))
    except OutOfSteps:
        widest = max(speakers, key=lambda speaker: _size(speaker.expr))
        given_up = (TooMuchToProve(widest.party, widest.step, "conditions", _size(widest.expr), proof_budget.steps),)
    return _RedundantQuestions(tuple(never), tuple(twice), tuple(anyway), tuple(absorbed), given_up)


def _size(expr: graph.Expr) -> int:
    """Count the tests, terms and operators in an expression."""
    return sum(1 for part in walk(expr) if isinstance(part, graph.Is | graph.Has | graph.Ask | graph.Op))
