"""What is evaluated in a game is recorded alike, whatever was played before."""

import pytest

from bench.playing import situation
from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.evaluation_counts import CountingEvaluator, Evaluation
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.players.greedy import greedy_option
from runtime.players.player import play_out, seat_players
from tests.sample import LONG
from tests.toys.hares import BOG_BARS, hares


def evaluations_of_game(rules: graph.Graph, listener: CountingEvaluator, seed: str) -> frozenset[Evaluation]:
    """Play a game, and return what was evaluated in it."""
    listener.charts = frozenset(rules.tables)
    game = Game(rules, GeneratedEvaluator(rules), listener)
    playthrough = game.start(seed)
    play_out(
        game,
        playthrough,
        seat_players({each.name: greedy_option for each in rules.vocabulary.enums["side"].members}, seed),
    )
    return listener.take_evaluations()


@pytest.mark.parametrize("name", ["hares", "before_the_tide", pytest.param("easthay", marks=LONG)])
def test_evaluations_do_not_depend_on_earlier_games(name: str) -> None:
    rules = hares(BOG_BARS) if name == "hares" else situation(name)
    used = CountingEvaluator(rules, code=None)
    assert evaluations_of_game(rules, used, "1")
    evaluations = evaluations_of_game(rules, CountingEvaluator(rules, code=None), "2")
    assert evaluations_of_game(rules, used, "2") == evaluations
