"""Nested choices of sets: members that a later condition rejects alone are not tried, in either engine."""

from collections.abc import Iterator

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.budget import MOST_MEMBERS, allow_members
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.analysis.planted import compiled
from tests.core.playing import engines, side_by_side
from tests.play.side_by_side import side_by_side as by_reference
from tests.sample import sampled

# Three sets of nine nested: 300 * 300 * 300 are tried without the restriction.
MANY, FEW = 9, 2
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart has load: 0..9
status cart: open "open" until end of turn
record haul {by: side, pullers: set of cart, pushers: set of cart, loads: set of cart}
define weight(h: haul): 0..99 [house] = sum(c.load for c in h.loads) reads "the weight of {h}"
value speed(h: haul): 0..9 otherwise 0 reads "the speed of {h}"
rule pulled [house] "A haul with pullers and a load moves."
  speed is 1
  with w = weight(h)
  when count(h.pullers) > 0 and w > 0
verdict may_haul(h: haul) default allowed reads "{h} may go" denied "{h} may not go"
rule open-loads [house] "Only what is open is loaded."
  may_haul forbidden when some(c in h.loads where c is not open)
rule no-cart-twice [house] "No cart both pulls and pushes."
  may_haul forbidden when some(c in h.pullers where c in h.pushers)
rule slow-hauls [house] "A haul moves."
  may_haul forbidden when speed(h) < 1
rule not-itself [house] "No cart pulls itself."
  may_haul forbidden when not every(c in h.loads where c not in h.pullers)
action haul by player in moving [house] "Haul carts." {
  choose any pullers from all cart
  choose any pushers from all cart
  choose any loads from all cart
  let h = haul(by: player, pullers: pullers, pushers: pushers, loads: loads)
  legal may_haul(h)
  for each c in loads { unmark c as open }
}
sequence game {
  phase moving "Moving" { for each s in {north, south} { offer haul by s until yes } }
}
example "closed carts" {
  row A
  piece %s: cart of north at A (load 1)
  ask count(all cart) = 9
}
example "an open cart" {
  row A
  piece P1: cart of north at A (open, load 1)
  piece P2: cart of north at A (load 1)
  ask count(all cart) = 2
}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> graph.Graph:
    names = ", ".join(f"P{number}" for number in range(1, MANY + 1))
    return compiled({"layer.yaml": LAYER, "r.rules": RULES % names}, tmp_path_factory.mktemp("planted"))


def openings(rules: graph.Graph) -> Iterator[State]:
    return (from_position(rules, example.position) for example in rules.examples)


def test_an_action_whose_sets_are_all_rejected_is_closed_without_trying_them(rules: graph.Graph) -> None:
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start("1", next(openings(rules)))
    with allow_members(MOST_MEMBERS) as used:
        game.advance(playthrough)
        assert used() < 1_000
    for seed in ("1", "2"):
        assert side_by_side(engines(rules, MANY, 1), next(openings(rules)), seed, 20)[1] == ""


@sampled(0)
def test_the_options_are_those_of_the_reference(rules: graph.Graph) -> None:
    *_, few = openings(rules)
    game = Game(rules, GeneratedEvaluator(rules))
    decision = game.advance(game.start("1", few.copy()))
    assert isinstance(decision, Decision)
    for seed in map(str, range(6)):
        decisions, differences = by_reference(game, few.copy(), seed, 30)
        assert (decisions > 0, differences) == (True, [])
        assert side_by_side(engines(rules, FEW, 1), few.copy(), seed, 30)[1] == ""
