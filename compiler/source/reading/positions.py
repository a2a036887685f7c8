"""Read positions.

In: a document whose shape has been checked (shape.py). Out: a `source.Position`, whose names are words with spans.
"""

from compiler.source import nodes as source
from compiler.source.findings.files import TooLarge
from compiler.source.reading.boards import read_connections, read_inline_board, read_map
from compiler.source.reading.values import (
    DocumentProblems,
    optional_word,
    read_entries,
    read_items,
    read_maps,
    read_word,
)

MOST_POSITION_PIECES = 1_000
PIECE_KEYS = ("name", "type", "side", "at", "in")


def read_position(document: source.ValueMap, reports: DocumentProblems) -> source.Position:
    """Read `position:`."""
    board = document.get("board")
    pieces = read_maps(document.get("pieces"))
    for excess_piece in pieces[MOST_POSITION_PIECES : MOST_POSITION_PIECES + 1]:
        reports.problems.append(TooLarge(excess_piece.span, "pieces", MOST_POSITION_PIECES))
    return source.Position(
        document.span,
        read_word(document.get("position")),
        read_word(document.get("stack")),
        read_entries(document.get("game")),
        read_inline_board(board, reports) if isinstance(board, source.ValueMap) else read_map(board),
        tuple(_piece(each) for each in pieces[:MOST_POSITION_PIECES]),
        read_named(document.get("relations")),
        read_named(document.get("records")),
        read_hex_entries(document),
        read_connections(document.get("links"), reports),
        read_side_entries(document.get("sides")),
    )


def read_hex_entries(document: source.ValueMap) -> tuple[source.HexEntry, ...]:
    """Read the statuses and tracks of hexes, or of spaces, which is a synonym."""
    return tuple(each for key in ("hexes", "spaces") for each in read_spaces(document.get(key)))


def read_spaces(value: source.Value | None) -> tuple[source.HexEntry, ...]:
    """Read spaces with their statuses and tracks."""
    return tuple(source.HexEntry(each.span, hex_, read_entries(each)) for hex_, each in read_entries(value))


def read_side_entries(value: source.Value | None) -> tuple[source.SideEntry, ...]:
    """Read the tracks of sides."""
    return tuple(source.SideEntry(each.span, side, read_entries(each)) for side, each in read_entries(value))


def _piece(piece: source.ValueMap) -> source.PieceEntry:
    """Read one piece; keys other than its name, type and place are properties."""
    return source.PieceEntry(
        piece.span,
        read_word(piece.get("name")),
        read_word(piece.get("type")),
        optional_word(piece.get("side")),
        optional_word(piece.get("at")),
        optional_word(piece.get("in")),
        tuple((name, value) for name, value in piece.entries if name.text not in PIECE_KEYS),
    )


def read_named(value: source.Value | None) -> tuple[source.NamedEntry, ...]:
    """Read pairs or records, listed by their name."""
    return tuple(
        source.NamedEntry(each.span, name, read_entries(each))
        for name, listed in read_entries(value)
        for each in read_items(listed)
    )
