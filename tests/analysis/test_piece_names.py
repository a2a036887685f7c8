"""Names of the pieces in a witness that a reader sees."""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.witness.candidate import MOST_HEXES, Candidate, empty_candidate, with_pair, with_short_names
from tests.books.fair import fair


def placed(name: str, at: str) -> graph.PieceAt:
    return graph.PieceAt(name, "cart", "", "north", at, "", (), (), (), ())


def test_pieces_have_the_initials_of_their_counters() -> None:
    book = fair()
    setting = empty_candidate(book.stack, "north", "", ("A", "B"), width=MOST_HEXES)
    pieces = (placed("Mover", "A"), placed("Other2", "B"), placed("K", "B"))
    setting = Candidate(
        replace(setting.position, pieces=pieces), (graph.Spot("piece", "Other2"), graph.Spot("hex", "A"))
    )
    setting = with_pair(setting, "hauls", "Mover", "K", None)
    renamed = with_short_names(setting, book)
    assert [piece.name for piece in renamed.position.pieces] == ["C", "C2", "K"]
    assert renamed.position.pairs == (("hauls", "C", "K", None),)
    assert renamed.arguments == (graph.Spot("piece", "C2"), graph.Spot("hex", "A"))


def test_a_letter_of_a_hex_is_no_name() -> None:
    book = fair()
    setting = empty_candidate(book.stack, "north", "", ("C", "D"), width=MOST_HEXES)
    setting = Candidate(replace(setting.position, pieces=(placed("Piece", "D"),)), ())
    [piece] = with_short_names(setting, book).position.pieces
    assert (piece.name, piece.at) == ("C2", "D")
