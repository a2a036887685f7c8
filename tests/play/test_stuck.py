"""Check finds offers that can be stuck, and says where; one that says what else is done it leaves alone."""

from pathlib import Path

from runtime.witness.stuck import stuck_offers
from tests.analysis.planted import compiled

RULES = """
side north, south
kind cart
feature hex: marsh
track cart.steps: 0..9 = 0 until end of moving
action move_on by player in moving "Move a cart a hex." {
  choose c from {c in all cart where c.side = player and c.steps < 1}
  choose to from neighbors(c.hex)
  set c.steps to c.steps + 1
  move c to to
}
sequence game { each turn in 1..2 { each player in {north, south} { phase moving "Moving" { offer move_on ENDS } } } }
example "into the marsh" {
  row A, B marsh, C
  piece R: cart of north at A
  act move_on(c: R, to: B)
  ask R.steps = 1
}
"""
DRY = "none(c in all cart where c.side = player and c.hex is marsh)"
MANIFEST = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


def found(folder: Path, ends: str) -> list[str]:
    """Say how offers of the rules with this end are stuck."""
    rules = compiled({"layer.yaml": MANIFEST, "r.rules": RULES.replace("ENDS", ends)}, folder)
    return [f"{each.how}, {each.when}; {each.file.count('marsh')}" for each in stuck_offers(rules)]


def test_what_can_be_stuck_is_found(tmp_path: Path) -> None:
    said = "from the position of the example `into the marsh`, north acting, turn 1, moving: R at B; 1"
    assert found(tmp_path, f"until {DRY}") == [said]


def test_what_cannot_is_not(tmp_path: Path) -> None:
    assert found(tmp_path / "free", "until yes") == []
    assert found(tmp_path / "obliged", f"must {DRY}") == []
    assert found(tmp_path / "otherwise", f"until {DRY} otherwise {{ for each c in all cart {{ remove c }} }}") == []
