"""What comes of asking why something cannot be chosen: refusals, and the conditions that fail in them."""

from collections.abc import Mapping
from typing import NamedTuple

from runtime.answer.explain import Explanation
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.play.playthrough import Names


class FailedCondition(NamedTuple):
    """A condition that does not hold, the names around it, and their types."""

    condition: graph.Expr
    names: Names
    types: Mapping[str, graph.Type]


class BlockingReason(NamedTuple):
    """What keeps something out: a text, the question behind it, 1 if a condition before it holds, and the condition.

    `wrong_type`: what was named is nothing of the type that is chosen, a hex where a piece is. `by_rules`: the
    text is that of the explanation.
    """

    text: str
    explanation: Explanation | None
    after: int
    failing: FailedCondition | None = None
    wrong_type: bool = False
    by_rules: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not open as a line of words asks for it; `reason` "": it is open.

    `bound_word_count` words bind to choices of the action, `unused_words` to none. `match_score` grows with how far the
    words got: what is named and may be chosen counts two, what fails at a later condition than the first of its choice
    one. `failing` is the condition that does not hold, with the names around it; None where something else is in the
    way. `stand_ins` counts places that were read as the pieces in them. `wrong_type` is that of the blocking reason.
    """

    action: str
    bound_word_count: int
    reason: str
    explanation: Explanation | None = None
    unused_words: tuple[str, ...] = ()
    match_score: int = 0
    failing: FailedCondition | None = None
    stand_ins: int = 0
    wrong_type: bool = False
