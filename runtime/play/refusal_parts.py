"""What comes of asking why something cannot be chosen: refusals, and the conditions that fail in them."""

from collections.abc import Mapping
from typing import NamedTuple

from runtime.answer.explain import Explanation
from runtime.graph import nodes as graph
from runtime.graph.frozen import dataclass
from runtime.play.playthrough import Names


class FailedCondition(NamedTuple):
    """A condition that does not hold, the names around it, and their types."""

    condition: graph.Expr
    names: Names
    types: Mapping[str, graph.Type]


class BlockingReason(NamedTuple):
    """What keeps something out: words, the question behind them, 1 if a condition before it holds, and itself."""

    why: str
    explanation: Explanation | None
    after: int
    failing: FailedCondition | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """How many of the words an action takes, and what stops it; `why` "" is nothing. `explanation` of a question.

    `left` are the words that it takes nowhere. `fit` grows with how far the words got: what is named and may be chosen
    counts two, what fails at a later condition than the first of its choice one. `failing` is the condition that does
    not hold, with the names around it; None where something else is in the way. `stand_ins` counts places that were
    read as the pieces in them.
    """

    action: str
    taken: int
    why: str
    explanation: Explanation | None = None
    left: tuple[str, ...] = ()
    fit: int = 0
    failing: FailedCondition | None = None
    stand_ins: int = 0
