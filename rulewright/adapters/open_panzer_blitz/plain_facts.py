"""Read a folder of plain facts: `boards/*.yaml`, `scenarios/*.yaml`.

A board lists its hexes by name, each with column and row, base, elevation, and the edges and paths of its six sides,
clockwise from the west; a card is a tree.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from compiler.source.nodes import Scalar, Value, ValueMap
from rulewright.adapters.open_panzer_blitz import foreign_nodes
from rulewright.exchange import tree_reader
from rulewright.exchange.notes import Notes
from runtime.graph.hexes import Coordinates

MOST_WIDE = 120
YAML = (".yaml", ".yml")

T = TypeVar("T")


def read_folder(root: Path, notes: Notes) -> foreign_nodes.ImportedDocuments:
    """Read all boards and situations; what cannot be read is noted and omitted."""
    boards, unread_boards = _each(root, "boards", read_board, notes)
    cards, unread_cards = _each(
        root,
        "scenarios",
        lambda tree, notes: foreign_nodes.ForeignCard(tree_reader.text_at(tree, "scenario", notes), tree),
        notes,
    )
    return foreign_nodes.ImportedDocuments(tuple(boards), tuple(cards), unread_boards, unread_cards)


def _each(root: Path, folder: str, read: Callable[[ValueMap, Notes], T], notes: Notes) -> tuple[list[T], int]:
    """Read the documents in a folder, and count those that could not be read, with files that contain none."""
    documents: list[T] = []
    unread = 0
    for file in tree_reader.files_in(tree_reader.files_ending(root / folder, YAML), root, notes):
        trees = tree_reader.read_documents(file, notes)
        unread += not trees
        for tree in trees:
            try:
                documents.append(read(tree, notes))
            except tree_reader.SkipPart:
                unread += 1
    return documents, unread


def has_facts(root: Path) -> bool:
    """Return whether a folder has boards or situations."""
    return any(tree_reader.files_ending(root / folder, YAML) for folder in ("boards", "scenarios"))


def read_board(tree: ValueMap, notes: Notes) -> foreign_nodes.ForeignBoard:
    """Read a board."""
    key = tree_reader.text_at(tree, "board", notes)
    width, height = tree_reader.number_at(tree, "width", notes), tree_reader.number_at(tree, "height", notes)
    if not (0 < width <= MOST_WIDE and 0 < height <= MOST_WIDE):
        notes.add_invalid(tree.span, key, f"a board of {width} columns and {height} rows is none")
        raise tree_reader.SkipPart
    points: dict[str, Coordinates] = {}
    cells: dict[Coordinates, foreign_nodes.ImportedHex] = {}
    for word, value in (*tree_reader.map_at(tree, "hexes", notes), *tree_reader.map_at(tree, "phantom_hexes", notes)):
        placed_cell = _cell(value, word.text, notes)
        if placed_cell is not None:
            point, cell = placed_cell
            if not (0 <= point[0] < width and 0 <= point[1] < height) or point in cells:
                notes.add_invalid(value.span, word.text, "this hex lies outside the board, or on another")
                continue
            points[word.text] = point
            cells[point] = cell
    regions = tuple(_regions(tree, points, notes))
    return foreign_nodes.ForeignBoard(tree.span, key, width, height, cells, regions)


def _cell(value: Value, name: str, notes: Notes) -> tuple[Coordinates, foreign_nodes.ImportedHex] | None:
    """Read one cell with its coordinates; None, with a note, if it is malformed."""
    if not isinstance(value, ValueMap):
        notes.add_invalid(value.span, name, "keys and values should stand here")
        return None
    try:
        sides = [
            tuple(text for text, _ in tree_reader.listed_words(tree_reader.find_entry(value, key)))
            for key in ("edges", "paths")
        ]
        if any(len(six) != len(foreign_nodes.CELL_SIDES) for six in sides):
            notes.add_invalid(value.span, name, "`edges` and `paths` have six words each")
            return None
        point = tree_reader.number_at(value, "col", notes), tree_reader.number_at(value, "row", notes)
        height = tree_reader.number_at(value, "elevation", notes, 0)
        cell = foreign_nodes.ImportedHex(value.span, tree_reader.text_at(value, "base", notes), height, *sides)
    except tree_reader.SkipPart:
        return None
    if tree_reader.find_entry(value, "elevation_transition") is not None:
        notes.add_omission(value.span, name, "transition")
    return point, cell


def _regions(
    tree: ValueMap, points: dict[str, Coordinates], notes: Notes
) -> Iterator[tuple[str, tuple[Coordinates, ...]]]:
    for part in tree_reader.list_at(tree, "regions", notes):
        if isinstance(part, ValueMap):
            known = []
            for name, span in tree_reader.listed_words(tree_reader.find_entry(part, "hexes")):
                if name in points:
                    known.append(points[name])
                else:
                    notes.add_omission(span, name, "a hex of a region that this board does not print")
            title = tree_reader.find_entry(part, "name")
            if isinstance(title, Scalar) and title.text:
                yield title.text, tuple(known)
            else:
                notes.add_invalid(part.span, "region", "a region without a name")
