"""Positions that show a difference can be set up in play, or are reported as such that cannot."""

from fractions import Fraction
from pathlib import Path

import pytest

from rulewright.cli.diff import describe_difference
from rulewright.contrast.differences import as_data
from runtime.graph import nodes as graph
from runtime.witness.behavioral_diff import Case, behavioral_diff
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
LIKE = "no counter of the chart is like"


def stacks(rule: str, folder: Path) -> tuple[graph.Graph, graph.Graph]:
    """Compile the game, and the game with a rule more."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": BASE,
        "game/carts.yaml": CHART,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": f'rule extra "One rule more." {rule}',
    }
    return compiled(files, folder, "game"), compiled(files, folder, "game+option")


def case_of_rule(rule: str, folder: Path) -> Case:
    """Return the position that shows what a rule more makes otherwise."""
    found = behavioral_diff(*stacks(rule, folder))
    assert found.terms
    return found.terms[0].groups[0].witness


@pytest.mark.parametrize("when", ["mover.build = heavy", "mover is tall and mover.build = light", "mover.speed > 8 MP"])
def test_a_piece_is_a_counter_where_one_will_do(tmp_path: Path, when: str) -> None:
    case = case_of_rule(f"may_go forbidden when {when}", tmp_path)
    assert case.position is not None
    assert not case.remarks
    assert all(piece.counter in {"pony", "dray", "ox", "bull"} for piece in case.position.pieces)


def test_a_number_is_varied_within_its_column(tmp_path: Path) -> None:
    case = case_of_rule("may_go forbidden when mover.speed > 5 MP and mover.speed < 8 MP", tmp_path)
    assert case.position is not None
    assert not case.remarks
    (piece,) = case.position.pieces
    assert piece.counter in {"pony", "dray", "ox", "bull"}
    assert dict(piece.printed)["speed"] in {graph.Num(Fraction(6), "MP"), graph.Num(Fraction(7), "MP")}


@pytest.mark.parametrize("when", ["mover.build = heavy and mover is wheeled", "mover.speed > 12 MP"])
def test_what_no_counter_is_like_is_shown_and_said_to_be_so(tmp_path: Path, when: str) -> None:
    assert [each for each in case_of_rule(f"may_go forbidden when {when}", tmp_path).remarks if LIKE in each]


def test_a_record_has_members_as_procedures_make_it(tmp_path: Path) -> None:
    case = case_of_rule("may_haul forbidden when haul.by = south", tmp_path)
    (haul,) = case.arguments
    assert isinstance(haul, graph.New)
    assert dict(haul.fields)["carts"] != graph.SetOf(())
    assert not case.remarks


def test_a_record_that_has_to_be_empty_is_said_to_be_none_of_play(tmp_path: Path) -> None:
    case = case_of_rule("may_haul forbidden when count(haul.carts) = 0", tmp_path)
    assert case.remarks == ("in play no haul has empty carts",)


def test_people_and_scripts_are_told(tmp_path: Path) -> None:
    a, b = stacks("may_haul forbidden when count(haul.carts) = 0", tmp_path)
    data = as_data(behavioral_diff(a, b), ("game", "game+option"), (a, b), tmp_path) | {"cards": []}
    message = "only found in a position that cannot be set up: in play no haul has empty carts"
    assert message in describe_difference(data).plain
    assert [each["witness"]["remarks"] for each in data["changes"] if each["label"] == "extra"] == [
        ["in play no haul has empty carts"]
    ]
