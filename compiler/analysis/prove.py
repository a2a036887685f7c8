"""The proofs of one stack: all checks, and the suspects of each term.

In: a rule graph. Out: the certain problems, in the order of terms and rules, and the suspects that only a position can
confirm (confirmation.py).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from compiler.analysis.budgets import OutOfSteps, budget, budget_of_stack
from compiler.analysis.checks import StackCheck, check_of_examples, check_of_stack, check_of_term
from compiler.analysis.decided_conditions import decided_conditions
from compiler.analysis.findings.dead_steps import dead_steps
from compiler.analysis.findings.duplicate_rule import DuplicateRule
from compiler.analysis.findings.idle_override import IdleOverride
from compiler.analysis.findings.table_gap import TableGap
from compiler.analysis.findings.too_much_to_prove import TooMuchToProve
from compiler.analysis.findings.unguarded_step import unguarded_step
from compiler.analysis.formula import Formula
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.parties import named_party
from compiler.analysis.proof_context import ProofContext, ProofStrategy, open_proof_context
from compiler.analysis.range_checks import range_violations, term_argument_violations
from compiler.analysis.ranged_writes import procedure_summaries
from compiler.analysis.solve import Assignment, TooManyCases
from compiler.analysis.space import Space
from compiler.analysis.suspects import NO_PROOFS, ProofSummary, Suspect, suspects_of
from compiler.query.database import Database
from compiler.query.traces import TraceStore
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of


def problems_of_examples(stack: graph.Graph) -> tuple[Finding, ...]:
    """Return the problems that depend on the examples of a stack: after an edit of one, no other can be new."""
    return tuple(problem for check in check_of_examples.checks() for problem in check(stack))


def prove_graph(
    stack: graph.Graph,
    arithmetic: ProofStrategy | None = None,
    database: Database | None = None,
    store: TraceStore | None = None,
    check_results: Callable[[], Sequence[tuple[Finding, ...]]] | None = None,
) -> ProofSummary:
    """Prove a stack: return its certain problems, and the suspects that only a position can confirm.

    `arithmetic` is the solver, if any. Memos of a `database`, and the stored traces of earlier processes, are reused
    where they are valid; new proofs are added to both.

    `check_results` returns the results of the checks of the whole stack, where another process runs some of them
    concurrently.
    """
    with budget_of_stack() as pool:
        found = _prove_parts(stack, arithmetic, database, store)
    of_checks = check_results() if check_results is not None else [check() for check in stack_checks(stack)]
    of_stack = tuple(problem for each in of_checks for problem in each)
    tables_with_gaps = {problem.table.label for problem in of_stack if isinstance(problem, TableGap)}
    suspects = tuple(each for each in found.suspects if not _is_from_gap(stack, each, tables_with_gaps))
    found = replace(found, problems=(*of_stack, *found.problems), suspects=suspects)
    return replace(found, problems=tuple(_one_of_all(found.problems, pool.steps)))


def stack_checks(stack: graph.Graph) -> list[Callable[[], tuple[Finding, ...]]]:
    """Return the checks of a whole stack, which need no proof, each as a function without arguments."""

    def run_check(check: StackCheck) -> tuple[Finding, ...]:
        return tuple(check(stack))

    return [partial(run_check, check) for check in (*check_of_stack.checks(), *check_of_examples.checks())]


def _one_of_all(problems: Sequence[Finding], steps: int) -> Iterator[Finding]:
    """Merge the findings of all places for which the stack had no steps left into one, at the first of them."""
    exhausted = [each for each in problems if isinstance(each, TooMuchToProve) and not each.steps]
    for each in problems:
        if exhausted and each is exhausted[0]:
            yield replace(exhausted[0], subject="stack", size=len(exhausted), steps=steps)
        elif not (isinstance(each, TooMuchToProve) and not each.steps):
            yield each


def _prove_parts(
    stack: graph.Graph, arithmetic: ProofStrategy | None, database: Database | None, store: TraceStore | None
) -> ProofSummary:
    problems: list[Finding] = []
    suspects: list[Suspect] = []
    undecided: list[str] = []
    laws = laws_of(stack, database, store)
    reading = procedure_summaries(laws)
    intervals = Intervals(laws.stack, recording=laws.recording)
    for term in stack.terms.values():
        make = partial(_prove_term, laws, term, intervals, arithmetic)
        answers = (NO_PROOFS, ProofSummary((), (), (term.name,)))
        found = laws.recording.prove("proof", term, make, answers, bool(arithmetic))
        problems += found.problems
        suspects += found.suspects
        undecided += found.undecided
    problems += _unguarded(laws)
    problems += dead_steps(laws, reading, intervals)
    problems += decided_conditions(laws, reading, intervals)
    for checked in range_violations(laws, reading, arithmetic, intervals, laws.fractions()):
        problems += checked.problems
        suspects += checked.suspects
        undecided += checked.undecided
    return ProofSummary(tuple(problems), tuple(suspects), tuple(dict.fromkeys(undecided)))


def _unguarded(laws: Laws) -> tuple[Finding, ...]:
    """Find unguarded steps.

    This depends on all procedures and few rules, so most edits of a rule leave its memo valid.
    """
    governing = laws.recording.database.tuple_of(laws.stack.preconditions)
    nothing: tuple[tuple[Finding, ...]] = ((),)
    return laws.recording.prove("unguarded", governing, lambda: tuple(unguarded_step(laws)), nothing)


def _prove_term(laws: Laws, term: graph.Term, intervals: Intervals, arithmetic: ProofStrategy | None) -> ProofSummary:
    """Prove one term, within its budget: by cases, or by arithmetic where cases cannot decide."""
    problems: list[Finding] = []
    suspects: list[Suspect] = []
    is_undecided, term_budget = False, budget()
    try:
        with term_budget:
            is_undecided = _prove_by_strategies(laws, term, intervals, arithmetic, problems, suspects)
    except OutOfSteps:
        party = named_party(term)
        problems.append(TooMuchToProve(party, None, "rules", len(term.rules), term_budget.steps))
    argument_violations = term_argument_violations(laws, term, arithmetic, intervals)
    undecided = (term.name,) if is_undecided or argument_violations.undecided else ()
    return ProofSummary(
        (*problems, *argument_violations.problems), (*suspects, *argument_violations.suspects), undecided
    )


def _prove_by_strategies(
    laws: Laws, term: graph.Term, intervals: Intervals, arithmetic: ProofStrategy | None, problems: list[Finding],
    suspects: list[Suspect],
) -> bool:  # fmt: skip
    """Prove a term by cases, or by arithmetic where cases cannot decide; return whether arithmetic could decide more.

    Certain problems are added to `problems`, suspects to `suspects`.
    """
    proof_context = open_proof_context(laws, term, intervals)
    if not proof_context.translator.is_approximate or arithmetic is None:
        _prove_in_context(proof_context, problems, suspects)
        return proof_context.translator.is_approximate
    given_up: list[TooManyCases] = []
    _prove_in_context(
        open_proof_context(laws, term, intervals, _recording_strategy(arithmetic, given_up)), problems, suspects
    )
    if given_up:  # Cases may have decided what arithmetic could not.
        suspects_by_arithmetic = tuple(suspects)
        problems.clear()
        suspects.clear()
        _prove_in_context(proof_context, problems, suspects)
        suspects[:] = [each for each in suspects if _same(each, suspects_by_arithmetic)]
    return False


def _is_from_gap(stack: graph.Graph, suspect: Suspect, tables_with_gaps: set[str]) -> bool:
    """Return whether a missing answer may be due to a gap in a chart, which is a separate finding."""
    read = (part.table for label in suspect.labels for part in nodes_of(graph.Cell, stack.rules[label]))
    return suspect.kind == "gap" and not tables_with_gaps.isdisjoint(read)


def _prove_in_context(proof_context: ProofContext, problems: list[Finding], suspects: list[Suspect]) -> None:
    """Add the certain problems of a term, and its suspects."""
    for check in check_of_term.checks():
        problems.extend(check(proof_context))  # One check at a time: the budget may end in between.
    equal_rules = {
        label for each in problems if isinstance(each, DuplicateRule) for label in (each.rule.label, each.first.label)
    }
    if equal_rules:  # That two rules are equal implies that neither of them, as an exception, changes an answer.
        problems[:] = [
            each for each in problems if not (isinstance(each, IdleOverride) and each.rule.label in equal_rules)
        ]
    suspects.extend(suspects_of(proof_context))


def _recording_strategy(strategy: ProofStrategy, given_up: list[TooManyCases]) -> ProofStrategy:
    """Return a strategy that records in `given_up` the results of queries that the solver could not decide."""

    def solve(space: Space, *formulas: Formula, example: bool = True) -> Assignment | TooManyCases | None:
        answer = strategy.solve(space, *formulas, example=example)
        given_up.extend([answer] if isinstance(answer, TooManyCases) else [])
        return answer

    return ProofStrategy(strategy.translator, solve)


def _same(suspect: Suspect, others: Iterable[Suspect]) -> bool:
    return any((other.kind, other.labels) == (suspect.kind, suspect.labels) for other in others)
