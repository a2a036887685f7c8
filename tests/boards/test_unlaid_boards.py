"""`check` of a layer reports what is wrong with the boards in its folder, also if no card lays them."""

from pathlib import Path

import pytest

from rulewright.checks.proofs import list_findings
from rulewright.library.stacks import load_stack

HEAD = "board: flats\nnumbering: {style: ccrr, columns: 3, rows: 2, shift: right}\n"
CARD = """scenario: day
title: Day
uses: toy
map: [[flats]]
turns: 1
order: [red]
forces: []
"""


def found_with(folder: Path, board: str, card: str = "") -> list[str]:
    """Return the code of each finding about the board in a subfolder of a layer."""
    home = folder / "toy"
    (home / "maps").mkdir(parents=True)
    (home / "layer.yaml").write_text("layer: toy\ntitle: Toy\nkind: base\ncites: house\n", "utf-8")
    (home / "toy.rules").write_text("side red\nfeature hex: mud\nkind unit\ntrack hex.wet: yes_no = no\n", "utf-8")
    (home / "maps" / "flats.yaml").write_text(board, "utf-8")
    if card:
        (home / "day.yaml").write_text(card, "utf-8")
    findings = list_findings(load_stack("toy", [folder]))
    return [each.code for each in findings if each.spans[0].span.file.endswith("toy/maps/flats.yaml")]


@pytest.mark.parametrize(
    ("board", "codes"),
    [
        (f"{HEAD}terrain: {{mud: ['0101']}}\n", []),
        (f"{HEAD}terrain: {{bog: ['0101']}}\n", []),  # The stack that lays the board has its words.
        (f"{HEAD}terrain: {{mud: ['0901']}}\n", ["R0201"]),
        (f'{HEAD}picture: {{legend: {{m: mud}}, rows: ["..", "..m"]}}\n', ["R0607"]),
        ("board: flats\n", ["R0606"]),
        ("board: flats\n\tnumbering: x\n", ["R0602"]),
        ("outline: flats\nnumbering: 3\n", ["R0607"]),
    ],
)
def test_a_board_that_no_card_lays_is_checked(board: str, codes: list[str], tmp_path: Path) -> None:
    assert found_with(tmp_path, board) == codes


def test_a_board_that_a_card_lays_is_reported_once(tmp_path: Path) -> None:
    found = found_with(tmp_path, f"{HEAD}terrain: {{mud: ['0901']}}\n", CARD)
    assert found == ["R0201"]


def test_a_card_that_cannot_be_read_lays_no_board(tmp_path: Path) -> None:
    assert found_with(tmp_path, "board: flats\n", "scenario: day\ntitle: [\n") == ["R0606"]


def test_the_boards_of_other_layers_are_left_to_them(tmp_path: Path) -> None:
    assert found_with(tmp_path, "board: flats\n")
    inner = tmp_path / "toy" / "maps" / "layer.yaml"
    inner.write_text("layer: inner\ntitle: Inner\nkind: optional\non: [toy]\n", "utf-8")
    assert not [each for each in list_findings(load_stack("toy", [tmp_path])) if "flats" in each.spans[0].span.file]
