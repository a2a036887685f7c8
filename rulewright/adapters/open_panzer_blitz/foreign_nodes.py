"""The nodes of a foreign package, independent of its file format.

A board is a grid of cells whose odd rows are shifted by half a hex to the left; the six sides are numbered clockwise
from the west. A card is a tree of keys and values with spans in its file; the readers of all formats emit the same
keys.
"""

from collections.abc import Mapping

from compiler.source.nodes import ValueMap
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates

# The six sides of a cell, in the order of the foreign files and with the names of our boards.
CELL_SIDES = ("w", "nw", "ne", "e", "se", "sw")


@frozen_dataclass
class ImportedHex:
    """A hex: its base terrain, its elevation, the edges on its six sides and the paths across them."""

    span: Span
    base: str
    elevation: int
    edges: tuple[str, ...]
    paths: tuple[str, ...]


@frozen_dataclass
class ForeignBoard:
    """A board; its key is the name of its file, `cells` are by (column, row)."""

    span: Span
    key: str
    width: int
    height: int
    cells: Mapping[Coordinates, ImportedHex]
    regions: tuple[tuple[str, tuple[Coordinates, ...]], ...]


@frozen_dataclass
class ForeignCard:
    """A situation; its key is the name of its file."""

    key: str
    tree: ValueMap


@frozen_dataclass
class ImportedDocuments:
    """The content of a foreign package, and the numbers of boards and situations that could not be read."""

    boards: tuple[ForeignBoard, ...]
    cards: tuple[ForeignCard, ...]
    unread_boards: int
    unread_cards: int


def neighbor_point(point: Coordinates, direction: int) -> Coordinates:
    """Return the coordinates of the neighbor across a side."""
    column, row = point
    left = row % 2  # odd rows are shifted by half a hex to the left
    match CELL_SIDES[direction]:
        case "w":
            return column - 1, row
        case "e":
            return column + 1, row
        case "nw":
            return column - left, row - 1
        case "ne":
            return column + 1 - left, row - 1
        case "se":
            return column + 1 - left, row + 1
        case _:
            return column - left, row + 1
