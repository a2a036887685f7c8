"""Conditions inside the expressions of a stack that can never hold, or always do (never_holds.py).

In: the laws of a stack, and the summaries of its procedures. Out: findings, within the budget of each place.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.findings.never_holds import never_holds
from compiler.analysis.findings.too_much_to_prove import TooMuchToProve
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.question_sites import Source, question_sites_of, sources_in, sources_of
from compiler.analysis.ranged_writes import ProcedureSummaries
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def decided_conditions(laws: Laws, reading: ProcedureSummaries, intervals: Intervals) -> Iterator[Finding]:
    """Find the conditions of a stack that never hold or always do; exhausted budgets come last."""

    def in_source(source: Source) -> Callable[[], tuple[Finding, ...]]:
        return partial(_decided_in, laws, source, intervals)

    def in_procedure(key: str) -> tuple[Finding, ...]:
        sources = sources_in(reading.summary_of(key))
        each_found = (laws.recording.query("decided conditions", each, in_source(each)) for each in sources)
        return tuple(chain.from_iterable(each_found))

    recording = laws.recording
    nothing: tuple[tuple[Finding, ...]] = ((),)
    problems: list[Finding] = []
    for source in sources_of(laws.stack):
        problems += recording.prove("decided conditions", source, in_source(source), nothing)
    for key, procedure in laws.stack.procedures.items():
        problems += recording.prove("decided conditions", procedure, partial(in_procedure, key), nothing, key)
    yield from sorted(problems, key=lambda problem: isinstance(problem, TooMuchToProve))


def _decided_in(laws: Laws, source: Source, intervals: Intervals) -> tuple[Finding, ...]:
    """Find the decided conditions of a rule, a term, a relation or a step, within a budget."""
    sites = tuple(question_sites_of(source, laws.stack))
    problems: list[Finding] = []
    proof_budget = budget()
    try:
        with proof_budget:
            problems.extend(never_holds(laws, sites, intervals))
    except OutOfSteps:
        widest = max(sites, key=lambda site: _size(site.expr))
        size = _size(widest.expr)
        problems.append(TooMuchToProve(widest.party, widest.step, "conditions", size, proof_budget.steps))
    return tuple(problems)


def _size(expr: graph.Expr) -> int:
    """Count the tests, terms and operators in an expression."""
    return sum(1 for part in walk(expr) if isinstance(part, graph.Is | graph.Has | graph.Ask | graph.Op))
