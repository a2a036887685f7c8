"""Paths and hexsides at the edge of a board are joined to those of the next board, in any orientation."""

from pathlib import Path

import pytest

from rulewright.games.scenarios import load_scenario
from runtime.graph import nodes as graph

LAYER = {
    "layer.yaml": "layer: rim\ntitle: Rim\nkind: base\nplayable: yes\n",
    "world.rules": "side one, two\nfeature hex: mud\nfeature hexside: hedge\npath road\nkind imp\n",
}
NUMBERING = "numbering: {style: letter_number, columns: [2, 3], rows: 3, shift: left}\n"
# Rows: A1 A2 / B1 B2 B3 / C1 C2. The half hexes B1 and B3 are shared; A2 and the A1 of the next board are neighbors.
LEFT = f"board: left\n{NUMBERING}paths: {{road: [A1-A2-e, C2-e]}}\nsides: {{hedge: [C2/e]}}\nterrain: {{mud: [A1]}}\n"
RIGHT = f"board: right\n{NUMBERING}paths: {{road: [w-A1-A2, C2-e]}}\nsides: {{hedge: [A1/w]}}\nterrain: {{mud: [C2]}}\n"


def joined(folder: Path, rows: str, left: str = LEFT, right: str = RIGHT) -> tuple[graph.Board | None, list[str]]:
    """Compile a card with the map `rows`; return its board and the errors."""
    card = f"scenario: meeting\nuses: rim\nmap: {rows}\nturns: 1\norder: [one]\nforces: []\n"
    for name, text in {**LAYER, "left.yaml": left, "right.yaml": right, "card.yaml": card}.items():
        (folder / name).write_text(text)
    stack = load_scenario("meeting", None, [folder])
    joined_board = stack.graph.scenario.board if stack.graph and stack.graph.scenario else None
    return joined_board, [each.message for each in stack.diagnostics if each.severity.value == "error"]


def test_a_road_that_both_boards_lead_off_is_joined(tmp_path: Path) -> None:
    board, wrong = joined(tmp_path, "[[left, right]]")
    assert board is not None, wrong
    assert ("road", "left.A2", "right.A1") in board.paths
    assert not [link for link in board.paths if {"left.C2", "right.C1"} == set(link[1:])]
    assert set(board.sides) == {("left.C2", "right.C1", ("hedge",)), ("left.A2", "right.A1", ("hedge",))}


def test_a_turned_board_is_joined_in_its_turned_directions(tmp_path: Path) -> None:
    board, wrong = joined(tmp_path, "[[left, right turned]]")
    assert board is not None, wrong
    # C2 of the right board is at the upper left, and its road leads west.
    assert ("road", "left.A2", "right.C2") in board.paths
    assert ("left.C2", "right.A2", ("hedge",)) in board.sides
    assert board.hexes["right.C2"][1] == 0


def test_a_single_board_has_no_joined_sides_or_paths(tmp_path: Path) -> None:
    board, wrong = joined(tmp_path, "[[left]]")
    assert board is not None, wrong
    assert board.sides == ()
    assert board.paths == (("road", "A1", "A2"),)


@pytest.mark.parametrize(
    ("left", "message"),
    [
        (LEFT.replace("C2-e", "C1-e"), "C1/e"),
        (LEFT.replace("C2/e", "C1/e"), "C1/e"),
        (LEFT.replace("A1-A2-e", "A1-e-A2"), "the direction `e` is not at the end of its trail"),
    ],
)
def test_a_direction_that_does_not_lead_off_the_board_is_an_error(tmp_path: Path, left: str, message: str) -> None:
    _, wrong = joined(tmp_path, "[[left]]", left)
    assert any(message in each for each in wrong), wrong


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [("hedge: [C2/e]", "hedge: [C2/A1]", "A1"), ("A1-A2-e", "A1-A2-C2", "C2"), ("A1-A2-e", "A1-A2-C9", "C9")],
)
def test_hexes_that_are_not_adjacent_are_marked_in_the_source(tmp_path: Path, old: str, new: str, word: str) -> None:
    left = LEFT.replace(old, new)
    joined(tmp_path, "[[left]]", left)
    (found,) = load_scenario("meeting", None, [tmp_path]).diagnostics
    span = found.spans[0].span
    assert left.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1] == word
    assert span.line > 1
