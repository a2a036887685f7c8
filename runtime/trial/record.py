"""Write a game down while its players play it.

In: a game, its course, its players, and a place for lines. Out: the lines of its trial.
"""

from collections.abc import Mapping

from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.game import Finished, Game
from runtime.players.player import Player, answer, seat
from runtime.trial.interactive_game import InteractiveGame, Write


def record(
    game: Game, course: Course, players: Mapping[str, Player], names: Mapping[str, str], seed: str, write: Write
) -> Finished:
    """Play a game that was just started from this seed, and write it down."""
    sitting = InteractiveGame(game, course, write)
    sitting.open(names, seed)
    seats = seat(players, seed)
    while isinstance(now := sitting.ask(), Decision):
        sitting.choose(now, answer(game, course, now, seats))
    sitting.close(now)
    return now
