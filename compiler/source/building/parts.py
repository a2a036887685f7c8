"""Helpers of all builders: the parts of a grammar rule as the parser passes them, their spans, and forms of nodes."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from compiler.source.nodes import Step, Word
from compiler.source.nodes.words import as_hexes
from compiler.source.scanner import Token
from compiler.source.span import NOWHERE, Span

# Tokens, nodes, tuples of nodes, and None for an absent part: keywords and commas are included, because the first and
# the last of them delimit the span of the node.
Parts = list[Any]

T = TypeVar("T")


def cover(parts: Parts | tuple[Any, ...]) -> Span:
    """Return the span from the first part that is present to the last."""
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
    """Return the first token or node among the parts; None if all are absent."""
    for part in parts:
        found = _first(part) if type(part) is tuple else part
        if found is not None:
            return found
    return None


def _last(parts: Sequence[Any]) -> Any:
    """Return the last token or node among the parts; None if all are absent."""
    for part in reversed(parts):
        found = _last(part) if type(part) is tuple else part
        if found is not None:
            return found
    return None


def word(token: Token) -> Word:
    """Convert a token to a word; a quoted name loses its quotes."""
    return Word(token.span, token.value if token.type == "QUOTED" else token.text)


def maybe_word(token: Token | None) -> Word | None:
    """Convert an optional token to a word."""
    return None if token is None else word(token)


def maybe_text(token: Token | None) -> str | None:
    """Return the text inside the quotes; None if the token is absent."""
    return None if token is None else str(token.value)


def cites(token: Token | None) -> tuple[Word, ...]:
    """Return the cited ids."""
    return () if token is None else token.value


def value_word(token: Token | None) -> Word | None:
    """Convert an optional token to a word with its value, as the text inside the quotes."""
    return None if token is None else Word(token.span, str(token.value))


def every(kind: type[T], parts: Iterable[Any]) -> tuple[T, ...]:
    """Return the parts of one kind, such as list items without their commas."""
    return tuple([part for part in parts if type(part) is kind])


def names(parts: Iterable[Any]) -> tuple[Word, ...]:
    """Convert all name tokens among the parts to words."""
    return tuple([word(part) for part in parts if type(part) is Token and part.type in ("NAME", "LABEL")])


def tuples(parts: Iterable[Any]) -> tuple[tuple[Any, ...], ...]:
    """Return the parts that are tuples, such as entries without their commas."""
    return tuple([part for part in parts if type(part) is tuple])


def arguments(parts: Iterable[Any]) -> tuple[Any, ...]:
    """Return the nodes among the parts, such as arguments without the commas between them."""
    return tuple([part for part in parts if part is not None and type(part) is not Token])


def kind_names(parts: Iterable[Any]) -> tuple[Word, ...]:
    """Convert all name tokens among the parts to names of kinds."""
    return tuple(map(as_hexes, names(parts)))


def steps_in(block: tuple[Any, ...]) -> tuple[Step, ...]:
    """Return the steps between the braces; one written step may be several nodes."""
    return tuple(step for part in block[1:-1] for step in (part if isinstance(part, tuple) else (part,)))
