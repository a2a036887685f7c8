"""A package of two small boards, one of them only outlined, and a card on both."""

from pathlib import Path

from rulewright.games.scenarios import load_card
from rulewright.library.stacks import Stack

NUMBERS = 'numbering: {style: letter_number, columns: [3, 4], rows: 5, shift: left, prefix: "%s"}\n'
LAYER = "layer: pier\ntitle: Pier\nkind: base\nplayable: yes\n"
RULES = """
side red, blue
kind bead has movement: 0..9
feature hex: brook, moor
path lane
track scenario.shore: set of hex = {}
track scenario.count: 0..9 = 0
enum grade: none_yet, won
scale grades: 'none_yet' = 0, 'won' = 1

max level(owner: side): grades otherwise 'none_yet'
  reads "the level of {owner}"
outcome level from level

rule shared-are-wet [house] "What two boards share is a moor." hex is moor when count(hex.boards) > 1

action deploy by player [house] "Set up." {
  choose b from {b in reserve(bead) where b.side = player}
  choose h from b.area
  move b to h
}
sequence pier [house] {
  each player in scenario.set_up {
    phase deployment "Set-up" { offer deploy until none(b in reserve(bead) where b.side = player) }
  }
  each turn in 1..scenario.turns { each player in scenario.order { phase idle "Idle" {} } }
}
"""
BEADS = "pieces: bead\ncites: house\ncolumns: [id, side, movement]\nrows: [[bob, red, 3], [tom, '-', 2]]\n"
OUTLINE = "outline: far\ntitle: The far shore\n" + NUMBERS % "F-"
NEAR = "board: near\n" + NUMBERS % "N-" + "terrain: {brook: [C1..C3]}\n"
FAR = "board: far\n" + NUMBERS % "F-" + "terrain: {brook: [F-B1]}\nregions: {mole: [A1, A2]}\n"
CARD = """scenario: outing
title: The Outing
uses: pier
cites: house
map: [[near, {board: far, turned: yes}]]
turns: 2
set_up: [blue, red]
order: [red, blue]
facts: {count: 3, shore: {board: far, rows: 1}}
regions: {jetty: [N-A1..N-A3, F-D1]}
gaps: [Who came first is not known; red did.]
forces:
  - {side: red, group: First, units: {bob: 3}, sets_up: AREA}
  - {side: red, group: Second, units: {bob: 1, tom: 1}, sets_up: {region: jetty}}
  - {side: blue, units: {tom: 2}, enters: {edge: EDGE, turn: 2}}
victory:
  red: {won: "count(b in all bead where b.hex in scenario.jetty) = 1"}
printed_so: [F-D1]
"""


def package(folder: Path, area: str = "{board: near}", edge: str = "east", **texts: str) -> Path:
    """Write the package; keywords give further files, or other texts for the usual ones."""
    usual = {
        "pier/layer.yaml": LAYER, "pier/pier.rules": RULES, "pier/beads.yaml": BEADS, "outline.yaml": OUTLINE,
        "near.yaml": NEAR, "card.yaml": CARD,
    }  # fmt: skip
    for name, text in {
        **usual,
        **{name.replace("__", "/").replace("_", "."): text for name, text in texts.items()},
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("AREA", area).replace("EDGE", edge), encoding="utf-8")
    return folder


def card(folder: Path, rules: str | None = None) -> Stack:
    """Compile the card of a package."""
    return load_card("outing", rules, [folder])
