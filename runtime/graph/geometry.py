"""Uses of lines and directions, which are defined on maps of hexes only."""

from collections.abc import Iterator
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from runtime.graph.walk import nodes_of

GEOMETRY = frozenset(each.name for each in OPERATORS.values() if each.of_hexes)


def geometry_users(rules: graph.Graph, functions: frozenset[str] = GEOMETRY) -> Iterator[tuple[str, str, graph.Origin]]:
    """Yield the uses of these functions: the function, the label or name of the user, and its origin."""
    parties: list[tuple[str, graph.Origin, Any]] = [(label, each.origin, each) for label, each in rules.rules.items()]
    parties += [(name, each.origin, each.otherwise) for name, each in rules.terms.items()]
    parties += [(f"{each.what} {each.name}", each.origin, each) for each in rules.procedures.values()]
    for label, origin, node in parties:
        for op in sorted({each.op for each in nodes_of(graph.Op, node)} & functions):
            yield op, label, origin


def noun_of_spaces(board: graph.Board) -> str:
    """Return the noun of a map's spaces: hex, area or point; "space" where it has several of these."""
    nouns = {"area" if len(corners) > 1 else "point" for corners in board.shapes.values()}
    if has_hexes(board) or not nouns:
        return "space" if nouns else "hex"
    return nouns.pop() if len(nouns) == 1 else "space"


def has_hexes(board: graph.Board) -> bool:
    """Return whether a map has a hex."""
    return any(name not in board.shapes for name in board.hexes)
