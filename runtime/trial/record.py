"""Write a game down while its players play it.

In: a game, its course, its players, and a place for lines. Out: the lines of its trial.
"""

from collections.abc import Mapping

from runtime.play.course import Course
from runtime.play.game import FinishedGame, Game
from runtime.play.game_budget import GameBudget
from runtime.players.player import Player, Seats, answer, seat
from runtime.trial.interactive_game import InteractiveGame, Write


def record(
    game: Game, course: Course, players: Mapping[str, Player], names: Mapping[str, str], seed: str, write: Write
) -> FinishedGame:
    """Play a game that was just started from this seed, and write it down."""
    sitting = InteractiveGame(game, course, write)
    sitting.open(names, seed)
    return play_on(sitting, seat(players, seed))


def play_on(sitting: InteractiveGame, seats: Seats) -> FinishedGame:
    """Let the players play a game to its end, and write down what they do."""
    budget = GameBudget()
    while True:
        with budget.decision(sitting.game, sitting.course):
            now = sitting.ask()
            if isinstance(now, FinishedGame):
                break
            sitting.choose(now, answer(sitting.game, sitting.course, now, seats))
    sitting.close(now)
    return now
