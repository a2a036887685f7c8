"""Draws sentences of the language from its grammar: syntactically valid, without regard to meaning."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from compiler.source.grammar import parser_tables

# Texts of the terminals that are no fixed word.
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
    """Draw the tokens of a sentence, at most `depth` productions deep where the grammar allows it."""
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
    """Return the productions of every nonterminal."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for rule in parser_tables().lark.rules:
        found.setdefault(str(rule.origin.name), []).append(tuple(str(symbol.name) for symbol in rule.expansion))
    return found


@cache
def _texts() -> dict[str, list[str]]:
    """Return the possible texts of every terminal."""
    fixed: dict[str, list[str]] = {}
    for texts in (parser_tables().vocabulary.words, parser_tables().vocabulary.symbols):
        for text, terminals in texts.items():
            for terminal in terminals:
                fixed.setdefault(terminal, []).append(text)
    return {**fixed, **SAMPLES}


def _height(production: tuple[str, ...]) -> int:
    """Return the least depth of a derivation of this production."""
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
