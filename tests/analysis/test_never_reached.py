"""A comparison of a track with a number that no step sets is reported; one that a card may begin with is not."""

from pathlib import Path

import pytest

from compiler.analysis.findings.never_reached import never_reached
from tests.analysis.planted import compiled

RULES = """
side north, south
kind cart has pace: 1..4
track cart.mud: 0..9 = 0
track game.storms: 0..9 = 0
verdict may_go(c: cart) default allowed reads "{c} may go" denied "{c} may not go"
rule stuck may_go forbidden when GUARD
action go by player in moving "Go." {
  choose c from {c in all cart where c.side = player}
  legal may_go(c)
  STEP
}
sequence planted {
  each turn in 1..3 { phase moving "Moving" { for each s in {north, south} { offer go by s until yes } } }
}
"""
MANIFEST = "layer: planted\ntitle: Planted\nkind: base\nplayable: yes\ncites: house\n"
UP = "set c.mud to min(2, c.mud + 1)"


@pytest.mark.parametrize(
    ("guard", "step", "found"),
    [
        ("c.mud >= 3", UP, [("never", "at most 2")]),
        ("3 <= c.mud", UP, [("never", "at most 2")]),
        ("c.mud = 3", UP, [("never", "at most 2")]),
        ("c.mud != 3", UP, [("always", "at most 2")]),
        ("c.mud > 2", UP, [("never", "at most 2")]),
        ("c.mud <= 2", UP, [("always", "at most 2")]),
        ("c.mud < 3 and c.pace = 1", UP, [("always", "at most 2")]),
        ("c.mud >= 3", "set c.mud to c.pace - 2", [("never", "at most 2")]),
        ("game.storms > 1", "set game.storms to 1", [("never", "at most 1")]),
        ("c.mud >= 2", UP, []),
        ("c.mud < 2", UP, []),
        ("c.mud = 0", UP, []),
        ("c.mud >= 3", f"{UP} set c.mud to c.pace", []),
        ("c.mud >= 3", "if c.mud > 0 { set c.mud to c.mud - 1 }", []),  # A card may begin with any value.
        ("c.mud >= 3", "set game.storms to 1", []),  # Nothing sets it: R0510.
        ("c.mud >= c.pace", UP, []),
        ("c.mud >= 0", "if c.mud < 9 { set c.mud to c.mud + 1 }", []),  # The range says so itself.
    ],
)
def test_numbers_that_no_step_sets(guard: str, step: str, found: list[tuple[str, str]], tmp_path: Path) -> None:
    text = RULES.replace("GUARD", guard).replace("STEP", step)
    stack = compiled({"layer.yaml": MANIFEST, "a.rules": text}, tmp_path, "planted")
    assert [(each.outcome, each.reached) for each in never_reached(stack)] == found


def test_a_first_value_and_the_side_from_below_count(tmp_path: Path) -> None:
    for first, guard, count in (("5", "c.mud <= 1", 0), ("5", "c.mud = 0", 1), ("1", "c.mud < 1", 1)):
        text = RULES.replace("mud: 0..9 = 0", f"mud: 0..9 = {first}").replace("GUARD", guard)
        (folder := tmp_path / f"{first}{count}").mkdir()
        stack = compiled(
            {"layer.yaml": MANIFEST, "a.rules": text.replace("STEP", "set c.mud to c.pace")}, folder, "planted"
        )
        assert len([*never_reached(stack)]) == count
