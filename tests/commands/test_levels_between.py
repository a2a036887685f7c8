"""A game that ends at a fractional level is played, recorded, replayed and compared."""

from pathlib import Path

import pytest

from tests.commands.planting import say

RULES = """
side north, south
kind cart
track side.load: 0..9 = 0
action lift by player in moving [house] "Lift." reads "lift" {
  roll d: 1..6
  set player.load to max(player.load, d)
}
value standing(s: side): number reads "how {s} stands"
rule fourths [house] "Four make a level."
  standing is s.load / 4
outcome standing
sequence game [house] {
  each turn [house] in 1..2 {
    each player [house] in scenario.order { phase moving "Moving" [house] { offer lift until yes } }
  }
}
"""
CARD = """
board: field
kind: points
spaces: {A: {at: [0, 0]}, B: {at: [9, 0]}}
connections: [A-B]
---
scenario: lifting
title: Lifting
uses: thirds
cites: house
map: [[field]]
turns: 2
order: [north, south]
forces:
  - {side: north, placed: [{unit: cart, at: A}]}
  - {side: south, placed: [{unit: cart, at: B}]}
---
pieces: cart
cites: house
columns: [id]
rows: [[cart]]
"""
HEAVY = """
rule heavy [house] "Three make a level."
  standing is s.load / 3
  replaces fourths
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Write the package, and an optional layer that divides otherwise."""
    files = {
        "thirds/layer.yaml": "layer: thirds\ntitle: Thirds\nkind: base\nplayable: yes\ncites: house\n",
        "thirds/game.rules": RULES,
        "thirds/card.yaml": CARD,
        "heavy/layer.yaml": "layer: heavy\ntitle: Heavy\nkind: optional\non: [thirds]\ncites: house\n",
        "heavy/heavy.rules": HEAVY,
    }
    for name, text in files.items():
        file = tmp_path / "packages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "packages"


@pytest.mark.parametrize("engine", ["python", "native"])
def test_fractional_levels(engine: str, packages: Path, tmp_path: Path) -> None:
    record, games = tmp_path / "game.trial", tmp_path / "games"
    here = ["--path", str(packages), "--players", "random"]
    played = say(["play", "lifting", *here, "--record", str(record), "--format", "json"])
    assert (played.code, played.data["winner"], played.data["level"]) == (0, "south", "5/4"), played
    assert '"level":"5/4"' in record.read_text(encoding="utf-8")
    assert say(["replay", str(record), "--path", str(packages)]).code == 0
    compare = [
        "compare",
        "lifting",
        "--all",
        *here,
        "--engine",
        engine,
        "--rules",
        "thirds",
        "--rules",
        "thirds+heavy",
        "-n",
        "4",
        "-j",
        "1",
    ]
    text = say(compare)
    assert (text.code, "level" in text.out) == (0, True), text
    assert say([*compare, "--out", str(games), "--format", "json"]).code == 0
    data = say([*compare, "--out", str(games), "--format", "json"])
    assert data.data == say([*compare, "--format", "json"]).data
