"""Problems of amendments of play: facts and the spans of all parties, as in problems.py."""

from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NoSuchStep:
    """A step that a rule amends is not in the procedure; or `several` are, by the places of those found.

    `candidates` are how its steps may be named.
    """

    span: Span
    step: str
    within: str
    candidates: tuple[str, ...]
    several: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class AmendedTwice:
    """Two rules amend the same step or procedure, and of their layers neither stands on the other."""

    span: Span
    other: Span
    what: str
    target: Span


@dataclass(frozen=True, slots=True)
class CannotAmend:
    """An amendment of play that makes no sense: `message` and `advice` are whole sentences."""

    span: Span
    target: Span
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class LeavesUnbound:
    """After an amendment a step speaks of a name before any step gives it; `given` is where one does, if any."""

    span: Span
    use: Span
    name: str
    given: Span | None
