"""The wording of steps: conditions that follow each other, and choices of numbers."""

from pathlib import Path

from compiler.rulebook.steps import procedure_lines
from tests.analysis.planted import compiled

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart
track side.carts: 0..9 = 0
domain load = 1..6
action set_out by player in moving "Set out." {
  choose n from all load
  if n = 1 { set player.carts to 1 } else if n = 2 { set player.carts to 2 } else { set player.carts to 3 }
}
sequence planted { phase moving "Moving" { offer set_out } }
"""


def test_conditions_of_a_chain_stay_at_one_level(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    lines = procedure_lines(book, book.procedures["action:set_out"])
    assert [(line.text, len(line.inside)) for line in lines] == [
        ("Choose a number from 1 to 6.", 0),
        ("If that number is 1:", 1),
        ("Otherwise, if that number is 2:", 1),
        ("Otherwise:", 1),
    ]
