"""Witnesses are positions that can be set up in play, as far as the difference allows."""

from pathlib import Path

import pytest

from runtime.graph import nodes as graph
from runtime.witness.behavioral_diff import DiffCase, behavioral_diff
from tests.analysis.planted import compiled

BASE = """
measure MP "point"
side north, south
enum build: light, heavy
kind cart has speed: 0..20 MP, build: build
trait cart: wheeled, tall
feature hex: bog
record haul {by: side, to: hex, carts: set of cart}
verdict may_go(mover: cart) default allowed
verdict may_haul(haul: haul) default allowed
rule no-bog "Nobody hauls in bogs." may_haul forbidden when haul.to is bog
action haul by player in movement "Haul." {
  choose mover from {c in all cart where c.side = player}
  choose to from neighbors(mover.hex)
  legal may_haul(haul(by: player, to: to, carts: {mover}))
  move mover to to
}
sequence game {
  each turn in 1..3 { each player in {north, south} { phase movement "Movement" { offer haul until yes } } }
}
"""
CHART = """
pieces: cart
cites: house
columns: [id, side, speed, build, traits]
rows:
  - [pony, north, 9, light, [wheeled]]
  - [dray, south, 8, light, [wheeled, tall]]
  - [ox, north, 3, heavy, [tall]]
  - [bull, south, 4, heavy, [tall]]
"""


def stacks(rule: str, folder: Path) -> tuple[graph.Graph, graph.Graph]:
    """Compile the game, and the game with one more rule."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": BASE,
        "game/carts.yaml": CHART,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": f'rule extra "One rule more." {rule}',
    }
    return compiled(files, folder, "game"), compiled(files, folder, "game+option")


def case_of_rule(rule: str, folder: Path) -> DiffCase:
    """Return the witness of the difference that one more rule makes."""
    found = behavioral_diff(*stacks(rule, folder))
    assert found.terms
    return found.terms[0].groups[0].witness


@pytest.mark.parametrize("when", ["mover.build = heavy", "mover is tall and mover.build = light", "mover.speed > 8 MP"])
def test_a_piece_of_a_witness_is_a_counter_of_the_chart(tmp_path: Path, when: str) -> None:
    case = case_of_rule(f"may_go forbidden when {when}", tmp_path)
    assert case.position is not None
    assert all(piece.counter in {"pony", "dray", "ox", "bull"} for piece in case.position.pieces)


def test_a_record_in_a_witness_has_members(tmp_path: Path) -> None:
    case = case_of_rule("may_haul forbidden when haul.by = south", tmp_path)
    (haul,) = case.arguments
    assert isinstance(haul, graph.New)
    assert dict(haul.fields)["carts"] != graph.SetOf(())
