"""Failures of an example's lines."""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class FailedLine:
    """A line whose outcome differs from the expected one. `case` names the case of the example, "" if it has only one.

    `step` is the index of a line without an origin of its own, with the number of lines; `moment` is what had ended
    before it, if anything, and `without_player` whether no side was on move then.
    """

    example: str
    case: str
    origin: graph.Origin
    expected: str
    actual: str
    explanation: str
    step: tuple[int, int] | None = None
    moment: str = ""
    without_player: bool = False
