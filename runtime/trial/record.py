"""Record a game while its players play it.

The input is a game, its playthrough, its players, and a sink for lines; the output is the lines of its trial.
"""

from collections.abc import Mapping

from runtime.play.game import FinishedGame, Game
from runtime.play.game_budget import GameBudget
from runtime.play.playthrough import Playthrough
from runtime.players.player import Player, Seats, choose_option, seat_players
from runtime.trial.interactive_game import InteractiveGame, Write


def record(
    game: Game,
    playthrough: Playthrough,
    players: Mapping[str, Player],
    names: Mapping[str, str],
    seed: str,
    write: Write,
) -> FinishedGame:
    """Play a game that was started from this seed, and record it."""
    interactive = InteractiveGame(game, playthrough, write)
    interactive.write_heading(names, seed)
    return play_on(interactive, seat_players(players, seed))


def play_on(interactive: InteractiveGame, seats: Seats) -> FinishedGame:
    """Play a game to its end, and record the choices of its players."""
    budget = GameBudget()
    while True:
        with budget.decision(interactive.game, interactive.playthrough):
            decision = interactive.ask()
            if isinstance(decision, FinishedGame):
                break
            interactive.choose(decision, choose_option(interactive.game, interactive.playthrough, decision, seats))
    interactive.close(decision)
    return decision
