"""The interface of players, and their assignment to the sides of a game.

In: players by side, and a seed. Out: seats, and the option that the player of the deciding side chooses. A player is a
function from the game, the playthrough, a decision and a random stream to the index of an option. It may read all its
arguments, which are the side's view without the journal, and change nothing. Its random stream is keyed by seed and
side and restarted for every choice, so that a player's draws do not affect the dice, and a seed determines the game in
any process.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from runtime.graph.budget import TooMuchWork, open_budget
from runtime.play.dice import Stream
from runtime.play.game import FinishedGame, Game
from runtime.play.game_budget import GameBudget
from runtime.play.machine import OPTION_DRAWN
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.random_draw import draw_listed
from runtime.play.rule_faults import TooMuchToPlay, budget_message
from runtime.state.position import State
from runtime.state.visibility import view_of_side

Player = Callable[[Game, Playthrough, Decision, Stream], int]


class Seat(NamedTuple):
    """A player of a side, with its random stream."""

    player: Player
    chance: Stream

    def choose_option(self, game: Game, playthrough: Playthrough, decision: Decision) -> int:
        """Return the index of the chosen option."""
        self.chance.restart_at(playthrough.moment())
        return self.player(game, playthrough, decision, self.chance)


Seats = Mapping[str, Seat]


def sides_of(game: Game, state: State) -> tuple[str, ...]:
    """List who plays."""
    card = game.graph.scenario
    return card.order if card else tuple(sorted({side for side in state.side if side}))


def seat_players(players: Mapping[str, Player], seed: str) -> Seats:
    """Return the seats of players, with their random streams."""
    return {side: Seat(player, Stream(seed, side)) for side, player in players.items()}


def choose_option(game: Game, playthrough: Playthrough, decision: Decision, seats: Seats) -> int:
    """Return the choice of the deciding side's player; raises `BrokenRules` if that side has none."""
    if decision.side not in seats:
        raise game.broken_rules(
            playthrough, f"{decision.side or 'nobody'} is asked {decision.question}, and does not play"
        )
    try:
        with open_budget():
            return seats[decision.side].choose_option(game, as_seen(game, playthrough, decision.side), decision)
    except TooMuchWork:
        raise game.broken_rules(playthrough, budget_message(), TooMuchToPlay) from None


def as_seen(game: Game, playthrough: Playthrough, side: str) -> Playthrough:
    """Return the side's view of the playthrough: the playthrough itself where there are no secrets."""
    if not game.choices.secret:
        return playthrough
    seen = playthrough.copy()
    seen.state = view_of_side(playthrough.state, side)
    # Of the checkpoints only the index of the choice is kept: bindings may be secret.
    # A draw may be secret to one side, and its index would reveal the member.
    seen.dice = [die if die.is_open else die._replace(value=0) for die in playthrough.dice]
    seen.journal, seen.checkpoints = [], [mark._replace(calls=()) for mark in playthrough.checkpoints[-1:]]
    return seen


def play_out(game: Game, playthrough: Playthrough, seats: Seats) -> FinishedGame:
    """Play a game to its end, and return that."""
    drawing = {side: seat.chance for side, seat in seats.items() if seat.player is uniform_option}
    budget = GameBudget()
    while True:
        with budget.decision(game, playthrough):
            decision = game.advance(playthrough, drawing)
            if isinstance(decision, FinishedGame):
                return decision
            if decision is not OPTION_DRAWN:
                game.apply(playthrough, decision, choose_option(game, playthrough, decision, seats))


def uniform_option(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
    """Select an option uniformly: the one that is drawn where options are not listed (`Game.advance`)."""
    if game.choices.secret:
        return chance.draw(len(decision.options))
    return draw_listed(game.choices, playthrough, decision.options, chance)
