"""Problems of amendments of procedures: facts and the spans of all parties, as in problems.py."""

from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NoSuchStep:
    """A step that a rule amends is not in the procedure, or is ambiguous: `matches` are the places of those found.

    `candidates` are the names of its steps; `has_place`: the selector states which of the matches it is.
    """

    span: Span
    step: str
    within: str
    candidates: tuple[str, ...]
    matches: tuple[Span, ...] = ()
    has_place: bool = False


@dataclass(frozen=True, slots=True)
class AmendedTwice:
    """Two rules amend the same step or procedure, and neither of their layers is based on the other."""

    span: Span
    other: Span
    name: str
    target: Span


@dataclass(frozen=True, slots=True)
class CannotAmend:
    """An amendment of a procedure that is meaningless: `message` and `advice` are whole sentences."""

    span: Span
    target: Span
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class LeavesUnbound:
    """After an amendment a step uses a name before it is bound; `binding` is where it is bound, if anywhere."""

    span: Span
    use: Span
    name: str
    binding: Span | None
