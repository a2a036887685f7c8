"""Interpreter and generated code give equal options and games; a created record is one object within a position."""

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import Decision
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state import change
from tests.toys.hares import BOG_BARS, hares

GRAPH = hares(BOG_BARS)


@pytest.mark.parametrize("player", ["random", "greedy"])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_evaluator_plays_the_same_game(player: str, seed: str) -> None:
    digests = set()
    for evaluator in (Interpreter(GRAPH), GeneratedEvaluator(GRAPH)):
        game = Game(GRAPH, evaluator)
        playthrough = game.start(seed)
        play_out(game, playthrough, seat_players(dict.fromkeys(("red", "blue"), PLAYERS[player]), seed))
        digests.add(playthrough.digest())
    assert len(digests) == 1


def test_a_created_record_is_one_object_until_the_next_event() -> None:
    record = graph.New("snatch", (("by", graph.Member("side", "red")), ("at", graph.Var("h"))))
    evaluator = OptionEvaluator(Interpreter(GRAPH), GRAPH)
    state = Game(GRAPH, Interpreter(GRAPH)).set_up()
    first = evaluator.evaluate(state, record, {"h": 3, "other": 1})
    assert evaluator.evaluate(state, record, {"h": 3, "other": 2}) is first
    assert evaluator.evaluate(state.branch(), record, {"h": 3}) is first
    assert evaluator.evaluate(state, record, {"h": 4}) is not first
    change.move(state, 0, 3)
    assert evaluator.evaluate(state, record, {"h": 3}) is not first


def test_every_evaluator_gives_the_same_options() -> None:
    plain, quick = Game(GRAPH, Interpreter(GRAPH)), Game(GRAPH, GeneratedEvaluator(GRAPH))
    one, other = plain.start("9"), quick.start("9")
    while isinstance(now := plain.advance(one), Decision):
        assert quick.advance(other) == now
        index = len(one.journal) % len(now.options)
        plain.apply(one, now, index)
        quick.apply(other, now, index)
    assert quick.advance(other) == now
    assert one.digest() == other.digest()
