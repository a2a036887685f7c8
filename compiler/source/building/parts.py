"""Parts that every builder needs: those of a rule as the parser passes them, and their place."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from compiler.source.nodes import Word
from compiler.source.scanner import Token
from compiler.source.span import NOWHERE, Span

# Tokens, nodes, tuples of nodes, and None for what was left out: keywords and commas are kept, because
# the first and the last of them bound the node.
Parts = list[Any]

T = TypeVar("T")


def cover(parts: Parts | tuple[Any, ...]) -> Span:
    """Return the place from the first part that is there to the last."""
    first = parts[0] if parts else None
    if first is None or type(first) is tuple:
        first = _first(parts)
        if first is None:
            return NOWHERE
    last = parts[-1]
    if last is None or type(last) is tuple:
        last = _last(parts)
    start = first if type(first) is Token else first.span
    end = last if type(last) is Token else last.span
    return Span(start.file, start.line, start.column, end.end_line, end.end_column)


def _first(parts: Sequence[Any]) -> Any:
    """Find the first token or node among parts; None when all of them were left out."""
    for part in parts:
        found = _first(part) if type(part) is tuple else part
        if found is not None:
            return found
    return None


def _last(parts: Sequence[Any]) -> Any:
    """Find the last token or node among parts; None when all of them were left out."""
    for part in reversed(parts):
        found = _last(part) if type(part) is tuple else part
        if found is not None:
            return found
    return None


def word(token: Token) -> Word:
    """Make a word of a token; a quoted name loses its quotes."""
    return Word(token.span, token.value if token.type == "QUOTED" else token.text)


def maybe_word(token: Token | None) -> Word | None:
    """Make a word of a token that may have been left out."""
    return None if token is None else word(token)


def maybe_text(token: Token | None) -> str | None:
    """Return the text inside the quotes, if it is there."""
    return None if token is None else str(token.value)


def cites(token: Token | None) -> tuple[Word, ...]:
    """Return the cited ids."""
    return () if token is None else token.value


def every(kind: type[T], parts: Iterable[Any]) -> tuple[T, ...]:
    """Pick the parts of one kind: list items without their commas."""
    return tuple([part for part in parts if type(part) is kind])


def named(parts: Iterable[Any]) -> tuple[Word, ...]:
    """Pick the names that may stand in quotes."""
    return tuple(part for part in parts if type(part) is Word)


def names(parts: Iterable[Any]) -> tuple[Word, ...]:
    """Make words of all names among the parts."""
    return tuple([word(part) for part in parts if type(part) is Token and part.type in ("NAME", "LABEL")])
