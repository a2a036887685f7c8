"""Compile a graph to a module that plays it."""

from compiler.core.game import lower_game
from compiler.wasm.module import write_module
from runtime.graph import nodes as graph
from runtime.graph.layout import Layout

MADE = 40  # Pieces that play may make beyond those of an opening.


def write_game(rules: graph.Graph, pieces: int, hexes: int) -> tuple[str, Layout]:
    """Write a module, as text, and its layout, for openings of up to so many pieces and hexes."""
    lowered = lower_game(rules)
    fractional = frozenset(lowered.denominators.fractional)
    return write_module(lowered.module, rules, fractional, pieces + MADE, hexes, lowered)
