"""Decide where the lines of a layout end, and print it.

The input is a layout and a width; the output is text without spaces at line ends. A line is longer than the width only
where it contains what may not be broken: quoted texts and comments.

Each comment is followed by the end of its line, even where the layout has none: otherwise the following text would
become part of the comment.
"""

from collections.abc import Sequence

from compiler.format.layout import (
    EMPTY,
    Break,
    Fill,
    Group,
    Indent,
    Layout,
    LeadingComment,
    Line,
    Text,
    TrailingComment,
)

INDENTATION = 2

# A layout still to be printed: its indentation, whether its lines are joined, and the layout.
LayoutItem = tuple[int, bool, Layout]


def write_layout(layout: Layout, width: int) -> str:  # noqa: C901 -- one arm a layout
    """Write a layout in lines of at most `width` columns."""
    page = _Page()
    waiting: list[LayoutItem] = [(0, False, layout)]
    while waiting:
        indent, joined, document = waiting.pop()
        match document:
            case Text(text):
                page.write(text, indent)
            case tuple():
                waiting += [(indent, joined, part) for part in reversed(document)]
            case Line(flat):
                if joined and not page.owes_line:
                    page.write(flat, indent)
                else:
                    page.end_line(indent)
            case Break(blank):
                page.end_line(indent)
                if blank:
                    page.skip_line()
            case Group(body):
                fits_line = joined or _fits(width - page.column, body, waiting)
                waiting.append((indent, fits_line, body))
            case Fill():
                waiting += reversed(_filled(document, width - page.column, indent, waiting, joined=joined))
            case Indent(body):
                waiting.append((indent + INDENTATION, joined, body))
            case LeadingComment(text):
                if not page.at_start:
                    page.end_line(indent)
                page.add_comment(text, indent)
            case TrailingComment(text):
                page.add_comment(text, indent)
    return page.text()


class _Page:
    """The text printed so far, with the column of its last line."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        # Spaces are deferred to the next word: at the start of a line and before a comment there are none.
        self._spaces = 0
        self.column = 0
        self.at_start = True
        self.owes_line = False

    def write(self, text: str, indent: int) -> None:
        """Append a text, or spaces before a text, on a new line if a comment has to end first."""
        if self.owes_line:
            self.end_line(indent)
        if text == " ":
            if not self.at_start:
                self._spaces += 1
                self.column += 1
        elif text:
            self._pieces += (" " * (self.column if self.at_start else self._spaces), text)
            self.column += len(text)
            self._spaces = 0
            self.at_start = False

    def add_comment(self, text: str, indent: int) -> None:
        """Append a comment; the line has to end behind it."""
        if self.owes_line:
            self.end_line(indent)
        self._spaces = 0 if self.at_start else 2
        self.write(text, indent)
        self.owes_line = True

    def end_line(self, indent: int) -> None:
        """Start a new line; it is indented when something is printed."""
        self._pieces.append("\n")
        self._spaces = 0
        self.column = indent
        self.at_start = True
        self.owes_line = False

    def skip_line(self) -> None:
        """Append an empty line."""
        self._pieces.append("\n")

    def text(self) -> str:
        """Return the printed text, with one end of line."""
        return "".join(self._pieces).strip("\n") + "\n" * bool(self._pieces)


def _filled(fill: Fill, columns: int, indent: int, rest: Sequence[LayoutItem], *, joined: bool) -> list[LayoutItem]:
    """Expand the first piece of a fill and the place behind it; the rest of the fill is deferred."""
    first, *others = fill.pieces
    if not others:
        return [(indent, joined or _fits(columns, first, rest), first)]
    remainder = Fill(tuple(others), fill.separators[1:])
    tail = rest if not others[1:] else [(indent, False, fill.separators[1])]
    first_fits = joined or _fits(columns, first, [(indent, False, fill.separators[0])])
    both_fit = joined or _fits(columns, (first, fill.separators[0], others[0]), tail)
    return [(indent, first_fits, first), (indent, both_fit, fill.separators[0]), (indent, joined, remainder)]


def _fits(columns: int, layout: Layout, rest: Sequence[LayoutItem]) -> bool:  # noqa: C901 -- one arm a layout
    """Return whether a layout, its lines joined, and what follows up to the next end of line fit into the columns."""
    waiting: list[tuple[bool, Layout]] = [(True, layout)]
    following = len(rest)
    remarked = False
    while columns >= 0:
        if not waiting:
            if not following:
                return True
            following -= 1
            waiting.append(rest[following][1:])
        joined, document = waiting.pop()
        match document:
            case Text(text):
                columns -= len(text)
                if remarked and text:
                    return False
            case tuple():
                waiting += [(joined, part) for part in reversed(document)]
            case Line(flat):
                if not joined:
                    return True
                columns -= len(flat)
            case Break():
                return not joined
            case Group(body) | Indent(body):
                waiting.append((joined, body))
            case Fill(pieces, between):
                for piece, line in zip(reversed(pieces), reversed((*between, EMPTY)), strict=True):
                    waiting += ((joined, line), (joined, piece))
            case LeadingComment():
                return not joined
            case TrailingComment():
                remarked = True
    return False
