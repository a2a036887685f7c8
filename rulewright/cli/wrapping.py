"""Wrap lines that are longer than the screen, between phrases if possible, otherwise between words.

In: a plain or styled text, and the columns of the screen. Out: the text with shorter lines; continuation lines
are indented by two more columns. A word that is longer than the screen, such as a path, is not split.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

# A line is wrapped after one of these, if one is far enough to the right; otherwise between words.
ENDS, LEAST = (",", ";", ":", "."), 0.6
# The least width: narrower screens are treated as this wide.
NARROWEST = 20


class LinePart(NamedTuple):
    """A part of a wrapped line: its indentation, and its start and end in the line."""

    margin: int
    start: int
    end: int


def wrapped(text: str, width: int) -> str:
    """Wrap the long lines of a text."""
    lines = text.split("\n")
    return "\n".join(
        " " * each.margin + line[each.start : each.end] for line in lines for each in line_pieces(line, width)
    )


def wrapped_styled(text: Text, width: int) -> Text:
    """Wrap the long lines of a styled text, preserving styles."""
    lines = [
        Text(" " * each.margin).append_text(line[each.start : each.end])
        for line in text.split("\n", allow_blank=True)
        for each in line_pieces(line.plain, width)
    ]
    return Text("\n", style=text.style).join(lines)


def line_pieces(line: str, width: int) -> Iterator[LinePart]:
    """Yield the parts of a wrapped line."""
    width = max(NARROWEST, width)
    indent = len(line) - len(line.lstrip())
    margin, start, further = 0, 0, min(indent + 2, width // 2)
    while margin + len(line) - start > width:
        last = start + width - margin
        spaces = [
            offset for offset in range(start, len(line.rstrip())) if line[offset] == " " and line[start:offset].strip()
        ]
        fitting_spaces = [offset for offset in spaces if offset <= last]
        if not spaces:
            break
        phrases = [
            offset for offset in fitting_spaces if line[offset - 1] in ENDS and margin + offset - start >= LEAST * width
        ]
        offset = phrases[-1] if phrases else fitting_spaces[-1] if fitting_spaces else spaces[0]
        yield LinePart(margin, start, start + len(line[start:offset].rstrip()))
        start, margin = offset + len(line[offset:]) - len(line[offset:].lstrip()), further
    yield LinePart(margin, start, len(line))


def table_by_rows(table: Table) -> Text:
    """Format a table that is wider than the screen by rows: the first cell, then the others with their headings.

    Truncated cells would contain names that cannot be copied.
    """
    text = Text(f"{table.title}\n" if table.title else "")
    headings = [str(column.header) for column in table.columns]
    for first, *others in zip(*(column.cells for column in table.columns), strict=True):
        cells = [f"{heading} {cell}" for heading, cell in zip(headings[1:], others, strict=True) if str(cell)]
        text.append(f"{first}\n", "bold").append(f"  {'; '.join(cells)}\n" if cells else "")
    text.rstrip()
    return text
