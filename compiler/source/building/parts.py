"""What every builder needs: the parts of a rule as the parser hands them over, and their place."""

from collections.abc import Iterable
from typing import Any, TypeVar

from compiler.source.nodes import Word
from compiler.source.scan import Token
from compiler.source.span import NOWHERE, Span

# Tokens, nodes, tuples of nodes, and None for what was left out: keywords and commas are kept, because
# the first and the last of them bound the node.
Parts = list[Any]

T = TypeVar("T")


def cover(parts: Iterable[Any]) -> Span:
    """Give the place from the first part that is there to the last."""
    there = tuple(parts)
    first = _first(there)
    if first is None:
        return NOWHERE
    last = _last(there)
    start = first if type(first) is Token else first.span
    end = last if type(last) is Token else last.span
    return Span(start.file, start.line, start.column, end.end_line, end.end_column)


def _first(part: Any) -> Any:
    """Find the first token or node of a part; None when all of it was left out."""
    if not isinstance(part, tuple):
        return part
    return next((found for inner in part if (found := _first(inner)) is not None), None)


def _last(part: Any) -> Any:
    """Find the last token or node of a part; None when all of it was left out."""
    if not isinstance(part, tuple):
        return part
    return next((found for inner in reversed(part) if (found := _last(inner)) is not None), None)


def word(token: Token) -> Word:
    """Make a word of a token; a quoted name loses its quotes."""
    return Word(token.span, token.value if token.type == "QUOTED" else token.text)


def maybe_word(token: Token | None) -> Word | None:
    """Make a word of a token that may have been left out."""
    return None if token is None else word(token)


def maybe_text(token: Token | None) -> str | None:
    """Give the text inside the quotes, if it is there."""
    return None if token is None else str(token.value)


def cites(token: Token | None) -> tuple[Word, ...]:
    """Give the cited ids."""
    return () if token is None else token.value


def every(kind: type[T], parts: Iterable[Any]) -> tuple[T, ...]:
    """Pick the parts of one kind: list items without their commas."""
    return tuple(part for part in parts if type(part) is kind)


def named(parts: Iterable[Any]) -> tuple[Word, ...]:
    """Pick the names that may stand in quotes."""
    return tuple(part for part in parts if type(part) is Word)


def names(parts: Iterable[Any]) -> tuple[Word, ...]:
    """Make words of all names among the parts."""
    return tuple(word(part) for part in parts if type(part) is Token and part.type in ("NAME", "LABEL"))
