"""Record a game while its players play it, to its end or to the end of a phase.

In: a game that is being recorded, and its players. Out: the lines of its trial, which it writes.
"""

from collections.abc import Callable

from runtime.play.dice import Stream
from runtime.play.game import FinishedGame
from runtime.play.game_budget import GameBudget
from runtime.play.options import Decision
from runtime.players.greedy import greedy_option
from runtime.players.player import Seat, Seats, as_seen, choose_option
from runtime.trial.interactive_game import InteractiveGame


def play_on(interactive: InteractiveGame, seats: Seats) -> FinishedGame:
    """Play a game to its end, record the choices of its players, and return that end."""
    budget = GameBudget()
    while True:
        with budget.decision(interactive.game, interactive.playthrough):
            decision = interactive.ask()
            if isinstance(decision, FinishedGame):
                break
            interactive.choose(decision, choose_option(interactive.game, interactive.playthrough, decision, seats))
    interactive.close(decision)
    return decision


def finish_phase(interactive: InteractiveGame, side: str, is_late: Callable[[], bool] = lambda: False) -> bool:
    """Choose as the greedy player for a side until the phase ends or another side has a decision.

    Return True if it is late before, which is asked from the second choice on.
    """
    game, playthrough = interactive.game, interactive.playthrough
    seat = Seat(greedy_option, Stream(f"auto {playthrough.seed}", side))
    phase, choice_count = playthrough.phase(), playthrough.choice_count
    while isinstance(decision := interactive.ask(), Decision) and decision.side == side:
        if playthrough.phase() != phase:
            return False
        if playthrough.choice_count > choice_count and is_late():
            return True
        interactive.choose(decision, seat.choose_option(game, as_seen(game, playthrough, side), decision))
    return False
