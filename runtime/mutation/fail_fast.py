"""Run a row of an example under an altered graph, up to the first unexpected result.

The input is a graph and a record of the row under the original rules; the output is whether the row detects the
alteration. A run without an end counts as detected: a row that queries far more than before, or that recurses too
deeply.
"""

from dataclasses import dataclass

from runtime.answer.answer import Answer
from runtime.answer.interpreter import PinnedAnswerMap
from runtime.examples.run import ExampleRun
from runtime.examples.tracing_interpreter import TracingInterpreter
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members
from runtime.mutation.mutant import OriginalRun
from runtime.state.position import State
from runtime.state.record import Value

# The budget of a row: a multiple of its questions before, and a number of additional ones.
QUERY_FACTOR, ADDED_QUERIES = 20, 5_000
# The cost of setting up and running a row in questions, and the number of members of sets that cost as much as one.
QUERIES_OF_SET_UP, MEMBERS_PER_QUERY = 20, 20


@dataclass(slots=True)
class PlayBudget:
    """The budget of questions for all runs of altered graphs together."""

    left: int

    @property
    def is_spent(self) -> bool:
        """Return whether nothing is left."""
        return self.left <= 0


class MutantKilledError(Exception):
    """Signals an unexpected result."""


class BoundedEvaluator(TracingInterpreter):
    """An evaluator with a bounded number of questions."""

    def __init__(self, rules: graph.Graph, pinned_answers: PinnedAnswerMap, most: int) -> None:
        """Start with the whole budget."""
        super().__init__(rules, pinned_answers)
        self.evaluations_left = most

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Evaluate a question within the budget."""
        self.evaluations_left -= 1
        if self.evaluations_left < 0:
            raise MutantKilledError
        return super().ask(state, name, arguments)


class FailFastRun(ExampleRun):
    """A run of a row that stops at the first failure, without explanations."""

    def __init__(self, rules: graph.Graph, record: OriginalRun) -> None:
        """Start with the budget of the row."""
        super().__init__(rules, record.run.example, record.run.row)
        self.tracing: BoundedEvaluator
        self.tracing = self.answers = BoundedEvaluator(
            rules, self.pinned_answers, record.question_count * QUERY_FACTOR + ADDED_QUERIES
        )

    def explain_answers(self, *_: object) -> str:
        """Return no explanation: it would not be read."""
        return ""

    def fail(self, *_: object, **__: object) -> None:
        """Stop the run."""
        raise MutantKilledError


def kills_mutant(rules: graph.Graph, record: OriginalRun, budget: PlayBudget | None = None) -> bool:
    """Return whether a row has an unexpected result under a graph; if the budget is spent, it may have one."""
    return not _as_expected(rules, record, record.run.unused_counts, budget)


def passes_repaired(rules: graph.Graph, record: OriginalRun, budget: PlayBudget | None = None) -> bool:
    """Return whether a row that fails under the original rules has the expected results under a graph.

    If the budget is spent, it does not.
    """
    return _as_expected(rules, record, (0, 0), budget)


def _as_expected(rules: graph.Graph, record: OriginalRun, left: tuple[int, int], budget: PlayBudget | None) -> bool:
    """Run a row, if the budget permits, and subtract its cost."""
    if budget is None:
        return _is_as_expected(FailFastRun(rules, record), left)
    if budget.is_spent:
        return False
    playing = FailFastRun(rules, record)
    allowed = playing.tracing.evaluations_left
    with allow_members(MEMBERS_PER_QUERY * budget.left) as used:
        came = _is_as_expected(playing, left)
        budget.left -= (
            QUERIES_OF_SET_UP + allowed - max(0, playing.tracing.evaluations_left) + int(used()) // MEMBERS_PER_QUERY
        )
    return came


def _is_as_expected(playing: "FailFastRun", left: tuple[int, int]) -> bool:
    """Return whether each line has its expected result.

    For an example with one case also whether it leaves as many dice.
    """
    try:
        playing.run_case()
    except (MutantKilledError, RecursionError):
        return False
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return False  # Errors of a graph that would not compile, such as a number in place of a name.
    return len(playing.example.rows) > 1 or playing.count_forced_left() == left
