"""Read positions."""

from compiler.source import nodes as source
from compiler.source.problems import TooLarge
from compiler.source.reading.boards import read_connections, read_inline_board, read_map
from compiler.source.reading.values import Reports, entries, entry, items, maybe_word, word

MOST_PIECES = 1_000
_PIECE_KEYS = ("name", "type", "side", "at", "in")


def read_position(document: source.ValueMap, reports: Reports) -> source.Position:
    """Read `position:`."""
    board = entry(document, "board")
    pieces = [each for each in items(entry(document, "pieces")) if isinstance(each, source.ValueMap)]
    for beyond in pieces[MOST_PIECES : MOST_PIECES + 1]:
        reports.problems.append(TooLarge(beyond.span, "pieces", MOST_PIECES))
    return source.Position(
        document.span,
        word(entry(document, "position")),
        word(entry(document, "stack")),
        entries(entry(document, "game")),
        read_inline_board(board, reports) if isinstance(board, source.ValueMap) else read_map(board),
        tuple(_piece(each) for each in pieces[:MOST_PIECES]),
        read_named(entry(document, "relations")),
        read_named(entry(document, "records")),
        tuple(source.HexEntry(value.span, hex_, entries(value)) for hex_, value in _hex_notes(document)),
        read_connections(entry(document, "links"), reports),
        tuple(source.SideEntry(value.span, side, entries(value)) for side, value in entries(entry(document, "sides"))),
    )


def _hex_notes(document: source.ValueMap) -> tuple[tuple[source.Word, source.Value], ...]:
    """Read what is noted of hexes, or of spaces: one word for the other."""
    return entries(entry(document, "hexes")) + entries(entry(document, "spaces"))


def _piece(piece: source.ValueMap) -> source.PieceEntry:
    """Read one piece; what is not its name, type or place is a property."""
    return source.PieceEntry(
        piece.span,
        word(entry(piece, "name")),
        word(entry(piece, "type")),
        maybe_word(entry(piece, "side")),
        maybe_word(entry(piece, "at")),
        maybe_word(entry(piece, "in")),
        tuple((name, value) for name, value in piece.entries if name.text not in _PIECE_KEYS),
    )


def read_named(value: source.Value | None) -> tuple[source.NamedEntry, ...]:
    """Read pairs or records, listed by their name."""
    return tuple(
        source.NamedEntry(each.span, name, entries(each)) for name, listed in entries(value) for each in items(listed)
    )
