"""A path found within a budget costs at most that budget, so R0521 does not report the track that pays for it."""

from pathlib import Path

import pytest

from rulewright.checks.proofs import list_findings
from rulewright.library.stacks import open_packages
from tests.sample import sampled

RULES = """
side north, south
measure MP "movement points"
feature hex: bog
kind cart has pace: 0..9 MP
track cart.left: 0..9 MP = 9 MP
verdict may_go(c: cart, from: hex, to: hex) default allowed
verdict may_fly(c: cart, from: hex, to: hex) default allowed
value toll(c: cart, from: hex, to: hex): 1..3 MP
rule flat "Flat ground costs one."  toll is 1 MP  when to is not bog
rule wet "Bogs cost three."  toll is 3 MP  when to is bog
rule no-bogs "Nobody goes into a bog."  may_go forbidden  when to is bog
rule no-flight "Nobody flies from a bog."  may_fly forbidden  when from is bog
define reach(c: cart): set of hex = reachable(c.hex by may_go(c) costing toll(c) within BUDGET) - {c.hex}
define price(c: cart, to: hex): 0..99 MP = cheapest_cost(c.hex to to by GATE(c) costing toll(c) otherwise 99 MP)
action go by player in going "Go." {
  choose c from {c in all cart where c.side = player}
  choose to from SOURCE
  let paid = price(c, to)
  set c.left to c.left - paid
  move c to to
}
sequence game { each turn in 1..2 { each player in {north, south} { phase going "Going" { offer go until yes } } } }
"""
CARTS = "pieces: cart\ncites: house\ncolumns: [id, side, pace]\nrows: [[dray, north, 4]]\n"
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


@sampled(1)
@pytest.mark.parametrize(
    ("budget", "gate", "source", "leaves"),
    [
        ("c.left", "may_go", "reach(c)", False),
        ("min(c.pace, c.left)", "may_go", "reach(c)", False),
        ("c.left", "may_go", "{h in reach(c) where h is not bog}", False),
        ("c.pace", "may_go", "reach(c)", True),
        ("max(c.pace, c.left)", "may_go", "reach(c)", True),
        ("c.left", "may_fly", "reach(c)", True),
    ],
)
def test_a_track_that_pays_for_a_path_stays_in_range(
    budget: str, gate: str, source: str, leaves: bool, tmp_path: Path
) -> None:
    text = RULES.replace("BUDGET", budget).replace("GATE", gate).replace("SOURCE", source)
    for name, content in (("layer.yaml", LAYER), ("r.rules", text), ("carts.yaml", CARTS)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = [each.code for each in list_findings(open_packages((tmp_path,)).compiled("planted"))]
    assert ("R0521" in found) == leaves, found
