"""The documents of the pretty printer, before lines are broken.

A layout says where lines may end and which of these places belong together; printer.py decides
which do. This is the algebra of Wadler, "A prettier printer" (1998), with Oppen's fill, and with
comments as layouts of their own: after one, a line ends, whatever stood there before.
"""

from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """Words that stay together."""

    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A place where a line may end; `flat` stands there if it does not."""

    flat: str


@dataclass(frozen=True, slots=True)
class Break:
    """The end of a line; `blank` puts an empty line after it."""

    blank: bool


@dataclass(frozen=True, slots=True)
class Group:
    """All its own places end lines, or none does."""

    inside: "Layout"


@dataclass(frozen=True, slots=True)
class Fill:
    """Pieces with places between them; only those places end lines where the next piece would not fit."""

    pieces: tuple["Layout", ...]
    between: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Indent:
    """Lines that begin inside stand one step further right."""

    inside: "Layout"


@dataclass(frozen=True, slots=True)
class LeadingComment:
    """A comment on a line of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class TrailingComment:
    """A comment behind what it speaks of."""

    text: str


Layout = Text | Line | Break | Group | Fill | Indent | LeadingComment | TrailingComment | tuple["Layout", ...]

SPACE = Text(" ")
NEXT = Break(blank=False)
APART = Break(blank=True)
EMPTY: Layout = ()


def fill(pieces: list[Layout], flats: list[str]) -> Layout:
    """Set pieces one after the other; what does not fit goes on in the next line, one step to the right."""
    if len(pieces) == 1:
        return pieces[0]
    return Indent(Fill(tuple(pieces), tuple(Line(flat) for flat in flats)))
