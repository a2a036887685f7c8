"""The word at a cursor, and conversion of columns to and from UTF-16 units; lines are zero-based.

The Language Server Protocol 3.17, "Position".
"""

import re

from compiler.source.files import split_lines
from runtime.graph.frozen_dataclass import frozen_dataclass

# A label or a quoted name may contain hyphens; a number is neither.
_WORD = re.compile(r"[^\W\d][\w]*(?:-\w+)*|'[^'\n]*'")


@frozen_dataclass
class CursorToken:
    """A word of a text: its line, start and end, zero-based and in characters."""

    text: str
    line: int
    start: int
    end: int


def word_at(text: str, line: int, character: int) -> CursorToken | None:
    """Return the word that contains a cursor or is adjacent to it; None if there is none."""
    line_text = line_at(text, line)
    column = to_characters(line_text, character)
    for found in _WORD.finditer(line_text):
        if found.start() <= column <= found.end():
            return CursorToken(found.group().strip("'"), line, found.start(), found.end())
    return None


def text_before(text: str, line: int, column: int) -> str:
    """Return the text before a column in its line, both zero-based."""
    return line_at(text, line)[:column]


def line_at(text: str, line: int) -> str:
    """Return a line of a text; "" behind its end, where an editor may still have its cursor."""
    return next(iter(split_lines(text)[line : line + 1]), "")


def to_characters(line: str, units: int) -> int:
    """Convert a column in UTF-16 units to characters; a lone surrogate counts as one character."""
    return len(line.encode("utf-16-le", "replace")[: 2 * units].decode("utf-16-le", "ignore"))


def to_units(line: str, column: int) -> int:
    """Convert a column in characters to UTF-16 units."""
    return len(line[:column].encode("utf-16-le", "replace")) // 2
