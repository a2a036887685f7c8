"""Problems of amendments of procedures: facts and the spans of all parties, as in problems.py."""

from compiler.source.span import LocatedProblem, Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NoSuchStep(LocatedProblem):
    """A step that a rule amends is not in the procedure, or is ambiguous: `matches` are the places of those found.

    `candidates` are the names of its steps; `has_place`: the selector states which of the matches it is.
    """

    step: str
    within: str
    candidates: tuple[str, ...]
    matches: tuple[Span, ...] = ()
    has_place: bool = False


@dataclass(frozen=True, slots=True)
class AmendedTwice(LocatedProblem):
    """Two rules amend the same step or procedure, and neither of their layers is based on the other."""

    other: Span
    name: str
    target: Span


@dataclass(frozen=True, slots=True)
class CannotAmend(LocatedProblem):
    """An amendment of a procedure that is meaningless: `message` and `advice` are whole sentences."""

    target: Span
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class LeavesUnbound(LocatedProblem):
    """After an amendment a step uses a name before it is bound; `binding` is where it is bound, if anywhere."""

    use: Span
    name: str
    binding: Span | None
