"""Run a row of an example under an altered graph, up to the first unexpected result.

The input is a graph and a record of the row under the original rules; the output is whether the row detects the
alteration. A run without an end counts as detected: a row that queries far more than before, or that recurses too
deeply.
"""

from runtime.answer.answer import Answer
from runtime.answer.interpreter import PinnedAnswerMap
from runtime.examples.run import ExampleRun
from runtime.examples.tracing_interpreter import TracingInterpreter
from runtime.graph import nodes as graph
from runtime.mutation.mutant import OriginalRun
from runtime.state.position import State
from runtime.state.record import Value

# The budget of a row: a multiple of its questions before, and a number of additional ones.
QUERY_FACTOR, ADDED_QUERIES = 20, 5_000


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


def kills_mutant(rules: graph.Graph, record: OriginalRun) -> bool:
    """Return whether a row has an unexpected result under a graph, or leaves another number of dice."""
    playing = FailFastRun(rules, record)
    try:
        playing.run_case()
    except (MutantKilledError, RecursionError):
        return True
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return True  # Errors of a graph that would not compile, such as a number in place of a name.
    return len(playing.example.rows) <= 1 and playing.count_forced_left() != record.run.unused_counts
