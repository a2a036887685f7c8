"""The numbering of a board decides the names of its hexes: style, first numbers, and runs."""

import pytest

from compiler.typed.situations.maps import hexes_by_number, printed_names
from tests.boards.test_spaces import board_in

TEXT = """board: brook
numbering: {style: %s, columns: [5, 4], rows: 4, shift: %s, prefix: N, first: %s}
picture: {legend: {w: wood}, rows: [".....", "....", "...w.", "...."]}
terrain: {wood: [%s]}
"""


@pytest.mark.parametrize("shift", ["left", "right"])
@pytest.mark.parametrize(
    ("style", "first", "name", "run"),
    [
        ("ccrr", "[1, 1]", "0403", "0201..0401"),
        ("rrcc", "[1, 1]", "0304", "0102..0104"),
        ("ccrr", "[15, 0]", "1802", "1502..1702"),
        ("rrcc", "[0, 9]", "1103", "0900..0902"),
        ("letter_number", "[1, 1]", "C4", "A2..A4"),
        ("letter_number", "[0, 26]", "BB3", "Z1..Z3"),
    ],
)
def test_the_fourth_hex_of_the_third_row_has_its_number_in_each_style(
    style: str, first: str, name: str, run: str, shift: str
) -> None:
    board, problems = board_in(TEXT % (style, shift, first, run))
    assert not problems
    assert printed_names(board)[f"N{name}"] == (3, 2)
    assert [each.text for ground in board.terrain for each in ground.hexes][-1] == name
    assert len(printed_names(board)) == 18
    assert all(each.text in hexes_by_number(board) for ground in board.terrain for each in ground.hexes)


def test_letters_start_at_number_one() -> None:
    _, problems = board_in(TEXT % ("letter_number", "right", "[1, 0]", "A1"))
    assert any("from 1 on" in each for each in problems), problems
