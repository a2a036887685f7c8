"""Run a row of an example under an altered graph, up to the first unexpected result.

The input is a graph and a record of the row under the original rules; the output is whether the row detects the
alteration. A run without an end counts as detected: a row that queries far more than before, or that recurses too
deeply.
"""

from runtime.answer.evaluator import EvaluatorHook
from runtime.examples.run import ExampleRun
from runtime.graph import nodes as graph
from runtime.mutation.mutant import OriginalRun

# The budget of a row: a multiple of its questions before, and a number of additional ones.
QUERY_FACTOR, ADDED_QUERIES = 20, 5_000


class _MutantKilledError(Exception):
    """Signals an unexpected result."""


class QuestionLimit(EvaluatorHook):
    """Stops a run after a number of questions."""

    def __init__(self, most: int) -> None:
        """Start with the whole budget."""
        self.questions_left = most

    def on_question(self, *_: object, **__: object) -> None:
        """Count a question."""
        self.questions_left -= 1
        if self.questions_left < 0:
            raise _MutantKilledError


class _FailFastRun(ExampleRun):
    """A run of a row that stops at the first failure, without explanations."""

    def __init__(self, rules: graph.Graph, record: OriginalRun) -> None:
        """Start with the budget of the row."""
        limit = QuestionLimit(record.question_count * QUERY_FACTOR + ADDED_QUERIES)
        super().__init__(rules, record.run.example, record.run.row, hooks=(limit,))

    def explain_answers(self, *_: object) -> str:
        """Return no explanation: it would not be read."""
        return ""

    def fail(self, *_: object, **__: object) -> None:
        """Stop the run."""
        raise _MutantKilledError


def kills_mutant(rules: graph.Graph, record: OriginalRun) -> bool:
    """Return whether a row has an unexpected result under a graph, or leaves another number of dice."""
    playing = _FailFastRun(rules, record)
    try:
        playing.run_case()
    except (_MutantKilledError, RecursionError):
        return True
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return True  # Errors of a graph that would not compile, such as a number in place of a name.
    return len(playing.example.rows) <= 1 and playing.count_forced_left() != record.run.unused_counts
