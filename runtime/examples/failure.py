"""What comes out of the lines of an example that its author has to look at."""

from dataclasses import dataclass

from runtime.graph import nodes as graph


@dataclass(frozen=True, slots=True)
class Failure:
    """A line that did not come out as expected. `case` names the row of the example, "" if it has none.

    `step` is the number of a line without a place of its own, and of how many; `moment` what ended before, if anything,
    and `without_player`: then nobody was on move.
    `without_answer` is the term or table that had no answer, if that stopped the row.
    """

    example: str
    case: str
    origin: graph.Origin
    expected: str
    actual: str
    explanation: str
    step: tuple[int, int] | None = None
    moment: str = ""
    without_answer: str = ""
    without_player: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """An act that is refused as expected, for `reasons` that the example does not name.

    `named` is what was said last to be in the way of something, if that is none of them, else "".
    """

    action: str
    named: str
    reasons: tuple[str, ...]
    origin: graph.Origin
