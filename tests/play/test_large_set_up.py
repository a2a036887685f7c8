"""Decisions of a set-up in a large area take a bounded number of members, in either evaluator and by every player."""

import pytest

from runtime.answer.evaluator import Evaluator
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.budget import MOST_MEMBERS, allow_members, limited_budget
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.analysis.planted import compiled
from tests.core.playing import engines, side_by_side
from tests.sample import sampled

CARTS, HEXES = 8, 320
# The sites of all carts are asked for a few times at each decision, and each hex of their areas is tested.
BOUND = 16 * CARTS * HEXES
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart
verdict may_stand(c: cart, h: hex) default allowed
  reads "{{c}} may stand in {{h}}" denied "{{c}} may not stand in {{h}}"
rule in-its-area [house] "A cart stands in its area."
  may_stand forbidden when count(c.area) > 0 and h not in c.area
rule alone [house] "A cart stands alone."
  may_stand forbidden when some(d in all cart where d.hex = h)
define sites(c: cart): set of hex [house] = {{h in c.area where may_stand(c, h)}} reads "the hexes for {{c}}"
set waiting(of: side): cart reads "what {{of}} has yet to put down"
rule those-with-room [house] "A cart with room waits."
  waiting includes {{c in reserve(cart) where c.side = of and count(sites(c)) > 0}}
action put by player in moving [house] "Put down a cart." {{
  choose c from waiting(player) preferring 1
  choose h from sites(c)
  move c to h
}}
sequence game {{
  phase moving "Moving" {{ for each s in {{north, south}} {{ offer put by s until none(c in waiting(s)) }} }}
}}
example "carts" {{
  row {hexes}
  piece {north}: cart of north (area {{{area}}})
  piece {south}: cart of south (area {{{area}}})
  ask count(reserve(cart)) = {count}
}}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> graph.Graph:
    hexes = ", ".join(f"H{n}" for n in range(HEXES))
    north, south = (", ".join(f"{side}{n}" for n in range(CARTS)) for side in "NS")
    text = RULES.format(hexes=hexes, area=hexes, north=north, south=south, count=2 * CARTS)
    return compiled({"layer.yaml": LAYER, "r.rules": text}, tmp_path_factory.mktemp("planted"))


def opening(rules: graph.Graph) -> State:
    return from_position(rules, rules.examples[0].position)


@sampled(1)
@pytest.mark.parametrize("evaluator", [GeneratedEvaluator, Interpreter])
def test_a_decision_passes_over_the_area_of_each_piece_once(rules: graph.Graph, evaluator: type[Evaluator]) -> None:
    game = Game(rules, evaluator(rules))  # type: ignore[call-arg]
    playthrough = game.start("1", opening(rules))
    with allow_members(MOST_MEMBERS) as used:
        decision = game.advance(playthrough)
        members = used()
    assert isinstance(decision, Decision)
    assert len(decision.options) == CARTS
    assert 2 * CARTS * HEXES <= members < BOUND


def test_both_engines_set_up_alike(rules: graph.Graph) -> None:
    decisions, difference = side_by_side(engines(rules, 2 * CARTS, HEXES), opening(rules), "1", 100)
    assert difference == ""
    # The last cart of each side is not chosen, but its hex is.
    assert decisions == 2 * (2 * CARTS - 1)


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_each_decision_of_a_player_has_a_budget_of_its_own(rules: graph.Graph, player: str) -> None:
    """Also those of a player whose options are drawn, who lists none of them."""
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start("1", opening(rules))
    with limited_budget(BOUND), allow_members(MOST_MEMBERS) as used:
        play_out(game, playthrough, seat_players(dict.fromkeys(("north", "south"), PLAYERS[player]), "1"))
        assert used() > 2 * BOUND
    assert all(hex_ >= 0 for hex_ in playthrough.state.hex)
