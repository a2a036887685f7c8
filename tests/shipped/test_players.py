"""The lookahead player wins a card that the greedy player loses (docs/playing.md has the numbers)."""

from rulewright.games.scenarios import load_scenario
from runtime.answer.generate import GeneratedEvaluator
from runtime.play.game import Game
from runtime.players.player import Player, play_out, seat_players
from runtime.players.player_names import PLAYERS, player_named
from tests.sample import LONG

# Of t0 to t3 the lookahead player loses t1 and t2 with this budget, t1 alone with 4000; the greedy one loses all four.
SEEDS = ("t0", "t3")


@LONG
def test_lookahead_wins_games_that_greedy_loses() -> None:
    rules = load_scenario("hazel_ford", None, []).graph
    assert rules
    game = Game(rules, GeneratedEvaluator(rules))

    def won(axis: Player) -> int:
        return sum(
            play_out(game, game.start(seed), seat_players({"axis": axis, "allied": PLAYERS["greedy"]}, seed)).winner
            == "axis"
            for seed in SEEDS
        )

    assert won(PLAYERS["greedy"]) == 0
    assert won(player_named("lookahead:2000")) == len(SEEDS)
