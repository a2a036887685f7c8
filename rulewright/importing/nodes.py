"""The nodes of a foreign package, independent of its form.

A board is a grid of cells, every second row half a hex to the left; six sides are counted from the west over
north. A card stays a tree of keys and values with places in its file: a reader of another form writes the same
keys.
"""

from collections.abc import Mapping

from compiler.source.nodes import Value, ValueMap
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass

# The six sides of a cell in the order of the foreign files, as our boards call them.
WAYS = ("w", "nw", "ne", "e", "se", "sw")

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cell:
    """One hex: what it is, how high, what lies on its six sides and which paths cross them."""

    span: Span
    base: str
    elevation: int
    edges: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForeignBoard:
    """A board by the name of its file; `cells` by (column, row), those that are not printed left out."""

    span: Span
    key: str
    width: int
    height: int
    cells: Mapping[Spot, Cell]
    regions: tuple[tuple[str, tuple[Spot, ...]], ...]


@dataclass(frozen=True, slots=True)
class ForeignUnit:
    """A kind of unit and what is printed on it, by the names of the foreign columns."""

    span: Span
    key: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ForeignCard:
    """A situation by the name of its file."""

    key: str
    tree: ValueMap


@dataclass(frozen=True, slots=True)
class ImportedDocuments:
    """All that was read, and how many boards and situations there are that could not be."""

    boards: tuple[ForeignBoard, ...]
    units: tuple[ForeignUnit, ...]
    cards: tuple[ForeignCard, ...]
    unread_boards: int = 0
    unread_cards: int = 0


def neighbor_spot(spot: Spot, way: int) -> Spot:
    """Find the next cell over a side."""
    column, row = spot
    left = row % 2  # odd rows stand half a hex to the left
    match WAYS[way]:
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


def find_entry(tree: Value | None, key: str) -> Value | None:
    """Look a key up; None where there is none."""
    if not isinstance(tree, ValueMap):
        return None
    return next((value for word, value in tree.entries if word.text == key), None)
