"""Declared invariants are checked for counters and situation cards; code R0559."""

import json
from collections.abc import Set
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.commands.test_faults import Capture
from tests.sample import sampled

FACTS = """
always light-afoot [house] every(u in all unit where u.gait = wheel or u.movement <= 6 MP)
always sides-walk-apart [house] none(u in all unit where u.side = south and u.gait = foot)
always wheels-on-the-road [house] every(u in all unit where u.gait = foot or u.hex is not marsh)
always dry-shod [house] count(u in all unit where u.hex is marsh) < 3
"""
CARD = """
scenario: bog
title: The Bog
uses: toy
map: [[toy_field]]
turns: 6
order: [north, south]
facts: {goal: B4}
forces:
  - {side: north, placed: [{unit: runner, at: B3}]}
  - {side: south, placed: [{unit: cart, at: A1}, {unit: cart, name: lost, at: C3}]}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game with invariants, and a card that satisfies them."""
    folder = new_game("toy", tmp_path).folder
    (folder / "facts.rules").write_text(FACTS)
    (folder / "bog.yaml").write_text(CARD.replace("at: C3", "at: C1"))
    return folder


def found(toy: Path, capsys: Capture, codes: Set[str] = frozenset({"R0559"})) -> list[tuple[str, list[str]]]:
    """Check the game; return each message with its underlined texts. No other codes than the given ones may occur."""
    run(["check", str(toy), "--format", "json"])
    data = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {each["code"] for each in data} <= codes
    texts = {file.name: file.read_text().splitlines() for file in toy.iterdir()}
    return [
        (
            each["message"],
            [
                texts[Path(span["file"]).name][span["line"] - 1][span["column"] - 1 : span["end_column"] - 1]
                for span in each["spans"]
            ],
        )
        for each in data
    ]


@sampled(0)
def test_invariants_that_hold_give_no_finding(toy: Path, capsys: Capture) -> None:
    assert found(toy, capsys) == []


def test_a_counter_that_breaks_two_invariants(toy: Path, capsys: Capture) -> None:
    charts = toy / "charts.yaml"
    charts.write_text(charts.read_text().replace("[cart, south, 8, wheel]", "[cart, south, 8, foot]"))
    assert found(toy, capsys) == [
        ("`light-afoot` and `sides-walk-apart` are not true of `cart`", ["cart", "light-afoot", "sides-walk-apart"])
    ]


def test_a_piece_of_a_card_that_breaks_an_invariant(toy: Path, capsys: Capture) -> None:
    (toy / "bog.yaml").write_text(CARD)
    assert found(toy, capsys) == [
        (
            "`wheels-on-the-road` is not true of `lost` at the start of the situation `bog`",
            ["{unit: cart, name: lost, at: C3}", "wheels-on-the-road"],
        )
    ]


def test_an_example_that_begins_with_a_broken_invariant(toy: Path, capsys: Capture) -> None:
    (toy / "examples.rules").write_text(
        'example "a cart" for (there) in (A), (B) {\n  row A, B marsh\n  piece C: cart at there\n  ask C.hex = there\n}'
    )
    [(message, underlined)] = found(toy, capsys)
    assert message == "`wheels-on-the-road` is not true of `C` at the start of the example `a cart, case 2`"
    assert underlined[1:] == ["wheels-on-the-road"]


def test_a_card_that_breaks_an_invariant_about_a_count(toy: Path, capsys: Capture) -> None:
    text = (toy / "bog.yaml").read_text()
    (toy / "bog.yaml").write_text(text.replace("A1", "B3").replace("C1", "B3"))
    messages = [message for message, _ in found(toy, capsys, frozenset({"R0559", "R0583"}))]
    assert "`dry-shod` is not true at the start of the situation `bog`" in messages
