"""A witness of `diff` is a position that could stand on a table, whether a search or an example gave it."""

from pathlib import Path

import pytest

from runtime.witness.behavioral_diff import behavioral_diff
from tests.analysis.planted import compiled

GAME = """
side north, south
kind cart has speed: 0..9
feature hex: bog
verdict may_roll(mover: cart) default allowed
FACT
action roll by player "Roll on." {
  choose mover from {c in all cart where c.side = player}
  legal may_roll(mover)
  choose to from neighbors(mover.hex)
  move mover to to
}
example "a cart rolls" {
  row A, C, B bog
  EXAMPLE
}
"""
UNITS = "pieces: cart\ncites: house\ncolumns: [id, side, speed]\nrows:\n  - [mule, north, 3]\n  - [ox, south, 2]\n"
DRY = "always dry [house] every(c in all cart where c.hex is not bog)"
IN_THE_BOG = "piece M: mule at B\n set game.player to north\n act roll(mover: M, to: C)"
FOREIGN = "piece M: mule of south at A\n set game.player to south\n act roll(mover: M, to: C)"
HOME = "piece M: mule at A\n set game.player to north\n act roll(mover: M, to: C)"
ASKED = "piece M: mule at B\n ask may_roll(M)"


@pytest.mark.parametrize(
    ("fact", "example", "condition", "is_shown"),
    [
        ("", IN_THE_BOG, "mover.hex is bog", True),
        (DRY, IN_THE_BOG, "mover.hex is bog", False),
        ("", ASKED, "mover.hex is bog", True),
        (DRY, ASKED, "mover.hex is bog", False),
        ("", FOREIGN, "mover.side = south and mover.counter = mule", False),
        ("", HOME, "mover.side = north and mover.counter = mule", True),
    ],
)
def test_a_witness_could_stand_on_a_table(
    fact: str, example: str, condition: str, *, is_shown: bool, tmp_path: Path
) -> None:
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": GAME.replace("FACT", fact).replace("EXAMPLE", example),
        "game/units.yaml": UNITS,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": f'rule extra "One rule more." may_roll forbidden when {condition}',
    }
    found = behavioral_diff(compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option"))
    [extra] = [each for each in found.changes if each.label == "extra"]
    plays = [*found.behavior.rules, *found.behavior.example_questions]
    assert (extra.witness is not None or bool(plays)) == is_shown
