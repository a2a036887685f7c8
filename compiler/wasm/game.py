"""Compile a rule graph to a module that plays it."""

from compiler.core.game import lower_game
from compiler.wasm.module import write_module
from runtime.graph import nodes as graph
from runtime.graph.layout import Layout

MADE = 40  # The number of pieces that play may create beyond those of an opening.


def write_game(rules: graph.Graph, pieces: int, hexes: int) -> tuple[str, Layout]:
    """Emit a module, as text, and its layout, for openings of at most `pieces` pieces and `hexes` hexes."""
    lowered = lower_game(rules)
    fractional = frozenset(lowered.denominators.fractional)
    return write_module(lowered.module, rules, fractional, pieces + MADE, hexes, lowered)
