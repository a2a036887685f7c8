"""Greedy and lookahead players choose sets and orders of pieces without preferences, on the map and off it."""

from pathlib import Path

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.play.game import Game
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import player_named
from runtime.state.setup import from_position
from tests.analysis.planted import compiled

RULES = """
side north, south
kind cart
status cart: spent until end of game
resolution spend(of: side, many: 0..9) {{
  choose {choice} from {{c in all cart where c.side = of and c is not spent}} by of
  for each c in lost {{ mark c as spent }}
}}
sequence game {{
  each turn in 1..1 {{ each player in {{north, south}} {{ phase on "On" {{ do spend(player, 2) }} }} }}
}}
example "some" {{
  row A, B
  piece N, O, P: cart of north at A
  piece Q: cart of north
  piece S, T, U: cart of south at B
  ask count(c in all cart where c is spent) = 0
}}
"""


@pytest.mark.parametrize("choice", ["any lost of 0..2", "any lost of 1..many", "any lost", "order lost of 2..2"])
@pytest.mark.parametrize("name", ["greedy", "lookahead:20"])
def test_sets_without_preferences_are_chosen(choice: str, name: str, tmp_path: Path) -> None:
    manifest = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    rules = compiled({"layer.yaml": manifest, "r.rules": RULES.format(choice=choice)}, tmp_path)
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start(1, from_position(rules, rules.examples[0].position))
    play_out(game, playthrough, seat_players(dict.fromkeys(("north", "south"), player_named(name)), "1"))
    assert playthrough.state.turn == 1
