"""The types that every game has: of fields of pieces and hexes, of the clock, of crossings."""

from collections.abc import Mapping

from runtime.graph import nodes as graph
from runtime.graph.operators.logic import YES_NO
from runtime.graph.operators.numbers import BARE

SIDE = graph.Enum("side")
HEXES = graph.Many("set", graph.Hex())
UNKNOWN = graph.Nothing()

PREDECLARED_TYPES: Mapping[str, graph.Type] = {
    "hex": graph.Hex(), "side": SIDE, "kind": graph.Enum("kind"), "place": graph.Enum("place"), "area": HEXES,
    "counter": graph.Enum("counter"), "arrives": BARE, "name": graph.Enum("name"), "board": graph.Enum("board"),
    "boards": graph.Many("set", graph.Enum("board")),
}  # fmt: skip

COLLECTIVES = frozenset({"area"})  # Sets whose noun is singular.

CLOCK: Mapping[str, graph.Type] = {
    "turn": BARE, "player": SIDE, "phase": graph.Enum("phase"), "turns": BARE, "order": graph.Many("list", SIDE),
    "set_up": graph.Many("list", SIDE),
}  # fmt: skip

CROSSING: Mapping[str, graph.Type] = {
    "side": graph.Hexside(), "back": graph.Hex(), "over": graph.Hex(), "along": YES_NO, "at": BARE,
}  # fmt: skip


def member_of(type_: graph.Type) -> graph.Type:
    """Return the member type of a collection."""
    return type_.of if isinstance(type_, graph.Many) else UNKNOWN
