"""The better player is better: it takes a village that the greedy one never does (docs/playing.md has the numbers)."""

from rulewright.games import load_scenario
from runtime.answer.generate import GeneratedEvaluator
from runtime.play.game import Game
from runtime.players.player import Player, play_out, seat_players
from runtime.players.player_names import PLAYERS, player_named
from tests.sample import LONG

# Of t0 to t3 the better player loses t1 and t2 with so few decisions, with 4000 t1 alone; the greedy one loses all.
SEEDS = ("t0", "t3")


@LONG
def test_looking_ahead_wins_where_greed_loses() -> None:
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
