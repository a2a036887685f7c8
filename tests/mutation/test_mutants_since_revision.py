"""`--since` generates mutants only of the parts that a single edit since the last commit changed."""

import subprocess
from pathlib import Path

import pytest

from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import run_own_mutants
from rulewright.library.stacks import open_packages
from tests.mutation.test_mutation import COUNTERS, LAYER, SOURCES
from tests.sample import sampled

RULES = """measure MP "points" side red, blue
trait unit: wheeled
status unit: loaded, seen
kind unit has speed: 0..9 MP
feature hex: bog
track side.gone: 0..9 = 0

verdict may_enter(u: unit, to: hex) default allowed
rule no-bog [T.1] "Wheels stop at bogs, and so does who is slow."
  may_enter forbidden
  when u is wheeled and to is bog and u.speed < 4 MP

action load by player [T.2] "Load one of one's own." {
  choose u from {x in all unit where x.side = player}
  legal u is not loaded
  mark u as loaded
  mark u as seen
  set player.gone to min(9, player.gone + 1)
  do count_twice(player)
}

resolution count_twice(of: side) [T.2] "What was counted is counted once more." {
  set of.gone to min(9, of.gone + of.gone)
}

sequence toy [T.3] {
  each turn in 1..2 {
    each player in {red, blue} {
      phase loading "Loading" { offer load until yes }
      phase counting "Counting" { do count_twice(player) }
      phase resting "Resting" { for each u in all unit { unmark u as loaded } }
    }
  }
}
"""
EXAMPLE = """
example "carts" {
  row A, B bog
  piece C: cart at A
  ask may_enter(C, B) = forbidden by no-bog
}
"""
BOARD = """board: fen
title: The Fen
numbering: {style: letter_number, columns: 3, rows: 2, shift: right}
picture:
  legend: {b: bog}
  rows:
    - ".b."
    - "..b"
regions:
  north: [A1, B1]
"""
CARD = """scenario: crossing
title: Crossing
uses: toy
cites: house
map: [[fen]]
turns: 4
order: [red, blue]
forces:
  - side: red
    placed: [{unit: cart, at: A1}]
  - side: blue
    placed: [{unit: mule, at: B2}]
"""


@pytest.fixture
def committed_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game with a board and a card to a temporary folder that replaces the shipped rules, and commit it."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    files = {
        "sources.yaml": SOURCES, "layer.yaml": LAYER, "units.yaml": COUNTERS, "toy.rules": RULES,
        "shown.rules": EXAMPLE, "fen.yaml": BOARD, "crossing.yaml": CARD,
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], check=True)
    return tmp_path


def altered(folder: Path) -> set[str]:
    """Return the things in which something was altered that changed since the last commit."""
    found = run_own_mutants(open_packages([folder]), "toy", [folder], MutationLimits(since="HEAD"))
    assert not found.broken_scenes
    survivors = (each.mutant for each in (*found.survivors, *(survivor for survivor, _ in found.proved)))
    return {mutant.procedure or mutant.name for mutant in (*survivors, *found.protected)}


def change(folder: Path, file: str, old: str, new: str) -> None:
    """Replace a text that occurs once in a file."""
    text = (folder / file).read_text()
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new))


CASES = {
    "a figure": ("units.yaml", "mule, blue, 2,", "mule, blue, 3,", {"mule"}),
    "a condition": ("toy.rules", "u.speed < 4 MP", "u.speed < 3 MP", {"no-bog"}),
    "two phases": (
        "toy.rules",
        """      phase counting "Counting" { do count_twice(player) }
      phase resting "Resting" { for each u in all unit { unmark u as loaded } }
""",
        """      phase resting "Resting" { for each u in all unit { unmark u as loaded } }
      phase counting "Counting" { do count_twice(player) }
""",
        {"sequence"},
    ),
    "two steps": (
        "toy.rules",
        "  mark u as loaded\n  mark u as seen\n",
        "  mark u as seen\n  mark u as loaded\n",
        {"action:load"},
    ),
    "a step that is gone": ("toy.rules", "  mark u as seen\n", "", {"action:load"}),
    "a sentence": ("toy.rules", "Wheels stop at bogs,", "Carts stop at bogs,", {"no-bog"}),
    "turns of a card": (
        "crossing.yaml", "turns: 4", "turns: 5",
        {f"crossing: {part}" for part in (
            "turns", "order", "set_up", "place of cart (1) of red", "place of mule (1) of blue")},
    ),
}  # fmt: skip


@sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_only_changed_parts_have_mutants(committed_game: Path, name: str) -> None:
    file, old, new, expected = CASES[name]
    assert altered(committed_game) == set()
    change(committed_game, file, old, new)
    assert altered(committed_game) == expected
