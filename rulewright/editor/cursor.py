"""The word at a cursor, and columns in UTF-16 units, as the protocol counts them; lines count from zero.

The Language Server Protocol 3.17, "Position".
"""

import re
from dataclasses import dataclass

from compiler.source.files import lines_of

# A label may hold hyphens, and so may a name in quotes; a number stands in neither.
_ITEM = re.compile(r"[\w.]+")
_WORD = re.compile(r"[^\W\d][\w]*(?:-\w+)*|'[^'\n]*'")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: its line, and where it begins and ends there; all from zero, in characters."""

    text: str
    line: int
    start: int
    end: int


def word_at(text: str, line: int, character: int) -> Token | None:
    """Find the word that a cursor touches, on either side."""
    lines = lines_of(text)
    if not 0 <= line < len(lines):
        return None
    column = to_characters(lines[line], character)
    for found in _WORD.finditer(lines[line]):
        if found.start() <= column <= found.end():
            return Token(found.group().strip("'"), line, found.start(), found.end())
    return None


def item_at(text: str, line: int, column: int) -> Token:
    """Return the stretch around a column that may name an item of the sources, which has dots; maybe empty."""
    here = lines_of(text)[line] if line < len(lines_of(text)) else ""
    before, behind = _ITEM.findall(here[:column]), _ITEM.match(here[column:])
    start = column - (len(before[-1]) if before and here[:column].endswith(before[-1]) else 0)
    end = column + (len(behind[0]) if behind else 0)
    return Token(here[start:end], line, start, end)


def text_before(text: str, line: int, column: int) -> str:
    """Return what stands before a column in its line, both from zero."""
    lines = lines_of(text)
    return lines[line][:column] if line < len(lines) else ""


def words_in(text: str, word: str) -> list[Token]:
    """Find every place of a word in a text, comments left out."""
    return [
        Token(word, number, match.start(), match.end())
        for number, line in enumerate(lines_of(text))
        for match in _WORD.finditer(line.partition("#")[0])
        if match.group().strip("'") == word
    ]


def to_characters(line: str, units: int) -> int:
    """Turn UTF-16 units of a line into characters; half a letter, which no text may hold, counts as one."""
    return len(line.encode("utf-16-le", "replace")[: 2 * units].decode("utf-16-le", "ignore"))


def to_units(line: str, column: int) -> int:
    """Turn characters of a line into UTF-16 units."""
    return len(line[:column].encode("utf-16-le", "replace")) // 2
