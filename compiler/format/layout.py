"""The documents of the pretty printer, before lines are broken.

A layout defines where lines may end and which of these places belong together; printer.py decides which do. This is the
algebra of Wadler, "A prettier printer" (1998), with Oppen's fill, and with comments as separate layouts: a comment
always ends its line, whatever follows in the layout.
"""

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Text:
    """A text that is not broken."""

    text: str


@frozen_dataclass
class Line:
    """A place where a line may end; `flat` is printed there if it does not."""

    flat: str


@frozen_dataclass
class Break:
    """The end of a line, followed by an empty line if `has_blank_line`."""

    has_blank_line: bool


@frozen_dataclass
class Group:
    """A layout whose own places all end lines, or none does."""

    body: "Layout"


@frozen_dataclass
class Fill:
    """Pieces separated by places of which only those end lines where the next piece would not fit."""

    pieces: tuple["Layout", ...]
    separators: tuple[Line, ...]


@frozen_dataclass
class Indent:
    """A layout whose lines are indented by one more step."""

    body: "Layout"


@frozen_dataclass
class LeadingComment:
    """A comment on a line by itself."""

    text: str


@frozen_dataclass
class TrailingComment:
    """A comment behind the text that it refers to."""

    text: str


Layout = Text | Line | Break | Group | Fill | Indent | LeadingComment | TrailingComment | tuple["Layout", ...]

SPACE = Text(" ")
NEXT = Break(has_blank_line=False)
BREAK_AND_BLANK_LINE = Break(has_blank_line=True)
EMPTY: Layout = ()


def filled_row(pieces: list[Layout], flats: list[str]) -> Layout:
    """Arrange pieces in a row; what does not fit continues on the next line, indented by one step."""
    if len(pieces) == 1:
        return pieces[0]
    return Indent(Fill(tuple(pieces), tuple(Line(flat) for flat in flats)))
