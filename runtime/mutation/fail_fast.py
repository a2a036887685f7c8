"""Play a row of an example under an altered graph, no further than to the first thing that comes out otherwise.

In: a graph, a record of the row as the rules stand. Out: whether the row notices. What does not come to an end counts
as noticed: a row that asks far more than it did, or that goes too deep.
"""

from dataclasses import dataclass

from runtime.answer.answer import Answer
from runtime.answer.interpreter import Given
from runtime.examples.run import ExampleRun
from runtime.examples.tracing_interpreter import TracingInterpreter
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members
from runtime.mutation.mutant import Record
from runtime.state.position import State
from runtime.state.record import Value

# A row may ask so many times what it asked before, and so many questions more.
TIMES, MORE = 20, 5_000
# To set up and play a row costs as much as so many questions, and so many members of sets as one.
SET_UP, MEMBERS = 20, 20


@dataclass(slots=True)
class PlayBudget:
    """How many questions may still be asked of altered graphs, all plays together."""

    left: int

    @property
    def is_spent(self) -> bool:
        """Return whether nothing is left."""
        return self.left <= 0


class MutantKilledError(Exception):
    """Something came out otherwise."""


class BoundedEvaluator(TracingInterpreter):
    """Answers so many questions and no more."""

    def __init__(self, rules: graph.Graph, given: Given, most: int) -> None:
        """Begin with nothing asked."""
        super().__init__(rules, given)
        self.most = most

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question."""
        self.most -= 1
        if self.most < 0:
            raise MutantKilledError
        return super().ask(state, name, arguments)


class FailFastRun(ExampleRun):
    """A row of an example that stops at the first failure, and explains nothing."""

    def __init__(self, rules: graph.Graph, record: Record) -> None:
        """Begin with nothing asked."""
        super().__init__(rules, record.run.example, record.run.row)
        self.tracing: BoundedEvaluator
        self.tracing = self.answers = BoundedEvaluator(rules, self.given, record.question_count * TIMES + MORE)

    def explained(self, *_: object) -> str:
        """Explain nothing: nobody reads it."""
        return ""

    def fail(self, *_: object, **__: object) -> None:
        """Stop here."""
        raise MutantKilledError


def kills_mutant(rules: graph.Graph, record: Record, budget: PlayBudget | None = None) -> bool:
    """Return whether a row of an example comes out otherwise under a graph; where the budget is spent it may."""
    return not _as_expected(rules, record, record.run.left, budget)


def passes_repaired(rules: graph.Graph, record: Record, budget: PlayBudget | None = None) -> bool:
    """Return whether a row of an example, which fails as the rules stand, comes out as expected under a graph.

    Where the budget is spent it does not.
    """
    return _as_expected(rules, record, (0, 0), budget)


def _as_expected(rules: graph.Graph, record: Record, left: tuple[int, int], budget: PlayBudget | None) -> bool:
    """Play a row, if the budget allows, and take what it costs from that."""
    if budget is None:
        return _is_as_expected(FailFastRun(rules, record), left)
    if budget.is_spent:
        return False
    playing = FailFastRun(rules, record)
    allowed = playing.tracing.most
    with allow_members(MEMBERS * budget.left) as used:
        came = _is_as_expected(playing, left)
        budget.left -= SET_UP + allowed - max(0, playing.tracing.most) + int(used()) // MEMBERS
    return came


def _is_as_expected(playing: "FailFastRun", left: tuple[int, int]) -> bool:
    """Say whether every line comes out as expected; of an example with one case also whether it leaves as many dice."""
    try:
        playing.finish()
    except (MutantKilledError, RecursionError):
        return False
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return False  # What only a graph that would not compile runs into, such as a number where a name belongs.
    return len(playing.example.rows) > 1 or playing.count_forced_left() == left
