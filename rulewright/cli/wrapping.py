"""Break lines that are longer than the screen: between phrases, or at least between words.

In: a text, plain or styled, and the columns of the screen. Out: the same with shorter lines; what goes on is set in by
two more. A word that is longer than the screen, such as a path, stays whole.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

# A line is broken behind one of these, if one is far enough to the right; else between two words.
ENDS, LEAST = (",", ";", ":", "."), 0.6
# Fewer columns than this are treated as so many.
NARROWEST = 20


class Piece(NamedTuple):
    """A part of a line that fits: how far it is set in, and where it begins and ends in the line."""

    margin: int
    start: int
    end: int


def wrapped(text: str, width: int) -> str:
    """Break the long lines of a text."""
    lines = text.split("\n")
    return "\n".join(
        " " * each.margin + line[each.start : each.end] for line in lines for each in line_pieces(line, width)
    )


def wrapped_styled(text: Text, width: int) -> Text:
    """Break the long lines of a styled text; styles stay where they are."""
    lines = [
        Text(" " * each.margin).append_text(line[each.start : each.end])
        for line in text.split("\n", allow_blank=True)
        for each in line_pieces(line.plain, width)
    ]
    return Text("\n", style=text.style).join(lines)


def line_pieces(line: str, width: int) -> Iterator[Piece]:
    """Yield where a line is broken."""
    width = max(NARROWEST, width)
    indent = len(line) - len(line.lstrip())
    margin, start, further = 0, 0, min(indent + 2, width // 2)
    while margin + len(line) - start > width:
        last = start + width - margin
        spaces = [at for at in range(start, len(line.rstrip())) if line[at] == " " and line[start:at].strip()]
        fitting = [at for at in spaces if at <= last]
        if not spaces:
            break
        phrases = [at for at in fitting if line[at - 1] in ENDS and margin + at - start >= LEAST * width]
        at = phrases[-1] if phrases else fitting[-1] if fitting else spaces[0]
        yield Piece(margin, start, start + len(line[start:at].rstrip()))
        start, margin = at + len(line[at:]) - len(line[at:].lstrip()), further
    yield Piece(margin, start, len(line))


def table_by_rows(table: Table) -> Text:
    """Write a table that is wider than the screen row by row: its first cell, below it the others with their headings.

    A cell that is cut off would be a name that cannot be typed.
    """
    text = Text(f"{table.title}\n" if table.title else "")
    headings = [str(column.header) for column in table.columns]
    for first, *others in zip(*(column.cells for column in table.columns), strict=True):
        told = [f"{heading} {cell}" for heading, cell in zip(headings[1:], others, strict=True) if str(cell)]
        text.append(f"{first}\n", "bold").append(f"  {'; '.join(told)}\n" if told else "")
    text.rstrip()
    return text
