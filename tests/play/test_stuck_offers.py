"""`stuck_offers` reports offers that can get stuck, with their position.

An offer with an obligation or an `otherwise` branch is not reported.
"""

import re
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from runtime.audit.stuck_offers import StuckOffer, stuck_offers
from runtime.graph import nodes as graph
from tests.analysis.planted import compiled, library_of
from tests.sample import sampled

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
    """Return the reports on stuck offers of the rules with this end."""
    rules = compiled({"layer.yaml": MANIFEST, "r.rules": RULES.replace("ENDS", ends)}, folder)
    stuck = (each for each in stuck_offers(rules, evaluator=None) if isinstance(each, StuckOffer))
    return [f"{each.description}, {each.situation}; {each.file.count('marsh')}" for each in stuck]


def test_an_offer_that_can_get_stuck_is_reported(tmp_path: Path) -> None:
    message = "from the position of the example `into the marsh`, north acting, turn 1, moving: R at B; 1"
    assert found(tmp_path, f"until {DRY}") == [message]


def test_an_offer_that_cannot_get_stuck_is_not_reported(tmp_path: Path) -> None:
    assert found(tmp_path / "free", "until yes") == []
    assert found(tmp_path / "obliged", f"must {DRY}") == []
    assert found(tmp_path / "otherwise", f"until {DRY} otherwise {{ for each c in all cart {{ remove c }} }}") == []


CARDS = """
side north, south
enum card: rain, sun
record held {by: side, what: card}
resolution bribe(of: side) "Give one." {
  STEP from {h.what for h in all held where h.by = of}BY
  for each h in {h in all held where h.by = of and h.what = given} { strike h }
}
action give by player in talking "Make others give." {
  choose other from {s in all side where s != player}
  do bribe(other)
}
sequence game { each turn in 1..2 {
  each player in {north, south} { phase talking "Talking" { offer give until yes } }
} }
example "one card" {
  row A
  write held(by: south, what: rain)
  set game.player to north
  act give(other: south, given: rain)
  ask none(h in all held)
}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("step", "by", "stuck"),
    [
        ("choose given", " by of", ["given"]),
        ("draw given", "", ["given"]),
        ("if some(h in all held where h.by = of) { choose given", " by of }", []),
    ],
)
def test_a_choice_without_candidates_is_reported(step: str, by: str, stuck: list[str], tmp_path: Path) -> None:
    text = CARDS.replace("STEP", step).replace("BY", by)
    if "if some" in step:
        text = text.replace(" by of }", " by of").replace(
            "h.what = given} { strike h }", "h.what = given} { strike h } }"
        )
    if "draw" in step:
        text = text.replace("act give(other: south, given: rain)", "draws rain\n  act give(other: south)")
    rules = compiled({"layer.yaml": MANIFEST, "r.rules": text}, tmp_path)
    steps = [each.step for each in stuck_offers(rules, evaluator=None)]
    assert [each.name for each in steps if not isinstance(each, graph.Offer)] == stuck


FIELD = """
side north, south
kind cart
status cart: fought until end of own_turn
action attack by player in combat "Attack." {
  choose a from {a in all cart where a.side = player and a is not fought} preferring 1
  choose d from {d in all cart where d.side != player and adjacent(a.hex, d.hex)}
  mark a as fought
}
action move_on by player in moving "Move." {
  choose c from {c in all cart where c.side = player} preferring 1
  choose to from neighbors(c.hex) preferring (if scenario has goal then 9 - distance(to, scenario.goal) else 0)
  legal none(f in cart at to) and game.moved < 2
  set game.moved to game.moved + 1
  move c to to
}
track game.moved: 0..9 = 0 until end of moving
track scenario.goal: hex
sequence game { each turn in 1..scenario.turns { each player in scenario.order {
  phase moving "Moving" { offer move_on until yes }
  phase combat "Combat" { offer attack until none(d in all cart where d.side != player
    and some(a in all cart where a.side = player and adjacent(a.hex, d.hex))) }
} } }
"""
BOARD = """board: field
numbering: {style: ccrr, columns: 9, rows: 3, shift: right}
---
scenario: clash
title: Clash
uses: planted
map: [[field]]
turns: 9
order: [north, south]
facts: {goal: "0502"}
forces:
  - {side: north, placed: [{unit: dray, at: "0102"}]}
  - {side: south, placed: [{unit: dray, at: "0902"}]}
---
pieces: cart
cites: house
columns: [id]
rows: [[dray]]
"""


def test_a_position_that_random_choices_rarely_reach_is_found_by_preferences(tmp_path: Path) -> None:
    library = library_of({"layer.yaml": MANIFEST, "r.rules": FIELD, "board.yaml": BOARD}, tmp_path)
    rules = compile_stack(library, "planted", library.scenarios.get("clash")).graph
    assert rules is not None
    (stuck,) = stuck_offers(rules, evaluator=None)
    assert re.fullmatch(r"in a game of `clash` with \w+ at random against greedy players", stuck.description)
