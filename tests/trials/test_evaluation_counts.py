"""The evaluations of a game are equal with and without memoized answers."""

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
def test_evaluations_do_not_depend_on_memos(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = hares(BOG_BARS) if name == "hares" else situation(name)
    memoizing, plain = CountingEvaluator(rules, code=None), CountingEvaluator(rules, code=None)
    monkeypatch.setattr(plain.memoizing, "memo_key", lambda _: None)
    for seed in ("1", "2"):  # The second game finds answers that the board memoized in the first.
        evaluations = evaluations_of_game(rules, memoizing, seed)
        assert evaluations
        assert evaluations == evaluations_of_game(rules, plain, seed)
