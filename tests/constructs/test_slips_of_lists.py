"""Errors in lists: repeated names, unknown names in templates, and exchanged sentences."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import sentence_of
from tests.analysis.planted import library_of

MANIFEST = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart has speed: 0..9
trait cart: tall, wheeled
domain die = 1..6
verdict may_go(c: cart) default allowed
  reads "{c} may go" denied "{c} may not go"
case going "Going" { rule tall-stay [house] "The tall stay."  may_go forbidden  when c is tall }
"""
CHART = """table: pace
cites: house
reads: "the pace on a {die}"
keys: {die: die}
cell: number
rows: [{die: 1..3, is: 1}, {die: 4..6, is: 2}]
---
pieces: cart
cites: house
columns: [id, side, speed, traits]
rows: [[dray, north, 4, [tall, wheeled]]]
"""
CARD = "card: [[sequence, going], [pace]]\n"
PLACES = (
    RULES
    + """
feature hex: moor
feature hexside: brook
"""
)
BOARD = """board: moors
numbering: {style: letter_number, columns: 4, rows: 3}
terrain: {moor: [A1, A2..A3]}
sides: {brook: [A1/B1, B1/B2]}
regions: {Top: [A1, A2]}
"""
SITUATION = """scenario: crossing
title: Crossing
uses: planted
map: [[moors]]
turns: 2
order: [north, south]
regions: {near: {within: 1, of: [A1, Top]}, low: {boards: [moors], hexes: [C1, C2]}}
forces: [{side: north, units: {dray: 1}, sets_up: {regions: [Top], rows: 1..1}}]
"""


def messages_of(folder: Path, rules: str = RULES, chart: str = CHART, manifest: str = MANIFEST + CARD) -> list[str]:
    """Return the messages for a game of three files."""
    files = {"layer.yaml": manifest, "case.rules": rules, "chart.yaml": chart}
    return [sentence_of(problem).message for problem in compile_stack(library_of(files, folder), "planted").problems]


def messages_of_places(folder: Path, board: str = BOARD, situation: str = SITUATION) -> list[str]:
    """Return the messages for a card and its board."""
    files = {
        "layer.yaml": MANIFEST,
        "case.rules": PLACES,
        "chart.yaml": CHART,
        "moors.yaml": board,
        "card.yaml": situation,
    }
    library = library_of(files, folder)
    card = library.scenarios["crossing"]
    return [sentence_of(problem).message for problem in compile_stack(library, "planted", card).problems]


def test_a_correct_game_has_no_message(tmp_path: Path) -> None:
    assert messages_of(tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"chart": CHART.replace("[tall, wheeled]", "[tall, tall]")}, "`tall` is listed twice"),
        ({"chart": CHART.replace("a {die}", "a {dice}")}, "this chart has no `dice`, which is named in its text"),
        ({"manifest": MANIFEST + CARD.replace("[pace]", "[pace, going]")}, "`going` is listed twice"),
        (
            {"rules": RULES.replace("may go", "may XX go").replace("may not go", "may go").replace("XX", "not")},
            "the texts for yes and no seem to be exchanged: the one for yes contains `not`",
        ),
        (
            {"rules": RULES.replace("may go", "cannot go").replace("may not go", "can go")},
            "the texts for yes and no seem to be exchanged: the one for yes contains `not`",
        ),
    ],
)
def test_errors_of_lists_are_reported_once(tmp_path: Path, changed: dict[str, str], message: str) -> None:
    assert messages_of(tmp_path, **changed) == [message]


def test_a_correct_board_has_no_message(tmp_path: Path) -> None:
    assert messages_of_places(tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"board": BOARD.replace("Top: [A1, A2]", "Top: [A1, A1]")}, "`A1` is listed twice"),
        ({"board": BOARD.replace("[A1, A2..A3]", "[A3, A2..A3]")}, "`A3` is listed twice"),
        ({"board": BOARD.replace("[A1, A2..A3]", "[A1..A3, A2..A4]")}, "`A2` is listed twice"),
        ({"board": BOARD.replace("B1/B2]", "B1/A1]")}, "expected each hexside once, found `B1/A1` again"),
        ({"situation": SITUATION.replace("[A1, Top]", "[A1, A1]")}, "`A1` is listed twice"),
        ({"situation": SITUATION.replace("[C1, C2]", "[C1, C2, C1]")}, "`C1` is listed twice"),
        (
            {"situation": SITUATION.replace("[moors], hexes", "[moors, moors], hexes")},
            "`moors` is listed twice",
        ),
        (
            {"situation": SITUATION.replace("{regions: [Top]", "{regions: [Top, Top]")},
            "`Top` is listed twice",
        ),
    ],
)
def test_errors_of_places_are_reported_once(tmp_path: Path, changed: dict[str, str], message: str) -> None:
    assert messages_of_places(tmp_path, **changed) == [message]
