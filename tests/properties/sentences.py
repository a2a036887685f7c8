"""Draw sentences of the language from its grammar: right in form, and senseless."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from compiler.source.grammar import parser_tables

# What a terminal that is no fixed word may be.
SAMPLES = {
    "NAME": ["a", "b", "mover", "spent", "unit", "hex"],
    "LABEL": ["a", "open-ground", "mire-slows-2"],
    "STACK": ["toy", "toy+frost", "toy+ford-price=ford-is-open"],
    "NUMBER": ["0", "3", "7/2"],
    "INTEGER": ["1", "12"],
    "QUOTED": ["'1-1'", "'# no comment'"],
    "STRING": ['""', '"One sentence."', '"A  sentence of some length, which # is no comment, for {mover}."'],
    "CITES": ["[T.1]", "[house]", "[T.MOVE.01 .02,Q.MARSH.04-.06 , T.1]"],
}


@st.composite
def sentences(draw: st.DrawFn, start: str = "statement", depth: int = 14) -> list[str]:
    """Draw the words of a sentence at most `depth` rules deep, and deeper only to get to an end."""
    return list(_grow(draw, start, depth))


def _grow(draw: st.DrawFn, symbol: str, depth: int) -> Iterator[str]:
    if symbol not in _rules():
        yield draw(st.sampled_from(_texts()[symbol]))
        return
    productions = _rules()[symbol]
    within = [production for production in productions if _height(production) < depth] or [
        min(productions, key=_height)
    ]
    for name in draw(st.sampled_from(within)):
        yield from _grow(draw, name, depth - 1)


@cache
def _rules() -> dict[str, list[tuple[str, ...]]]:
    """List the ways to write every part of speech."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for rule in parser_tables().lark.rules:
        found.setdefault(str(rule.origin.name), []).append(tuple(str(symbol.name) for symbol in rule.expansion))
    return found


@cache
def _texts() -> dict[str, list[str]]:
    """List what may be written for every terminal."""
    fixed: dict[str, list[str]] = {}
    for texts in (parser_tables().vocabulary.words, parser_tables().vocabulary.symbols):
        for text, terminals in texts.items():
            for terminal in terminals:
                fixed.setdefault(terminal, []).append(text)
    return {**fixed, **SAMPLES}


def _height(production: tuple[str, ...]) -> int:
    """Count the rules on the shortest way from here to words."""
    return max((_heights().get(name, 0) for name in production), default=0)


@cache
def _heights() -> dict[str, int]:
    heights: dict[str, Any] = dict.fromkeys(_rules(), 10**6)
    for _ in heights:
        for name, productions in _rules().items():
            heights[name] = min(
                1 + max((heights.get(part, 0) for part in production), default=0) for production in productions
            )
    return heights
