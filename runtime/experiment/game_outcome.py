"""Play one game of an experiment and record what is counted of it.

The input is a game (one graph, ready to play), its players and a seed; the output is an `Outcome`, plain data that is
sent between processes. A game whose rules fail is an outcome too, with the reason.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from fractions import Fraction

from runtime.answer.value_text import unanswered_reason
from runtime.graph.answer_errors import Unanswered
from runtime.graph.counter_steps import step_count
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.unsettled_offer import UnsettledOffer
from runtime.play.game import FinishedGame, Game
from runtime.play.rule_faults import BrokenRules, TooMuchToPlay
from runtime.players.player import Player, play_out, seat_players
from runtime.state.position import State

Uses = tuple[tuple[str, int, int, int], ...]
UsesOf = Callable[[State], Uses]


def count_nothing(_: State) -> Uses:
    """Count nothing."""
    return ()


@frozen_dataclass
class Outcome:
    """The counted results of one game. `levels`: (side, place); `losses`: (side, counter, count).

    `used` is the use of the rules that are compared (use_tracer.py), empty where it is not counted. `fault` is ""
    unless the rules failed. `by_machine` is the reason why the machine played it though a module was requested; it is
    no part of its results. `exhausted` is whether the budget of the game was spent, so that no more are played.
    `unsettled` are offers for which the budget did not suffice at some decision to decide whether their `must` can
    still be met.
    """

    seed: str
    turn: int = 0
    choices: int = 0
    winner: str = ""
    levels: tuple[tuple[str, int | Fraction], ...] = ()
    losses: tuple[tuple[str, str, int], ...] = ()
    fault: str = ""
    used: Uses = ()
    by_machine: str = ""
    exhausted: bool = False
    unsettled: tuple[UnsettledOffer, ...] = field(default=(), compare=False)

    @property
    def is_drawn(self) -> bool:
        """Return whether it was played to its end and is a draw: a side that plays alone wins or loses."""
        return not (self.winner or self.fault or len(self.levels) == 1)


def play_outcome(game: Game, players: Mapping[str, Player], seed: str, uses: UsesOf = count_nothing) -> Outcome:
    """Play a game to its end, without counted uses. `uses` returns what was used after its end."""
    playthrough, exhausted = game.start(seed), False
    try:
        end = play_out(game, playthrough, seat_players(players, seed))
        fault = ""
    except (BrokenRules, Unanswered) as problem:
        end = FinishedGame("", None, (), playthrough.state.turn, playthrough.choice_count)
        fault = unanswered_reason(playthrough.state, problem) if isinstance(problem, Unanswered) else str(problem)
        exhausted = isinstance(problem, TooMuchToPlay)
    unsettled = game.obligations.unsettled_offers(playthrough)
    outcome, used = outcome_of(playthrough.state, end, seed, unsettled), uses(playthrough.state)
    return replace(outcome, fault=fault, used=used, exhausted=exhausted)


def outcome_of(state: State, end: FinishedGame, seed: str, unsettled: tuple[UnsettledOffer, ...] = ()) -> Outcome:
    """Build the outcome of a game from its last position."""
    return Outcome(
        seed=seed,
        winner=end.winner,
        levels=end.levels,
        turn=end.turn,
        choices=end.choice_count,
        losses=_steps_lost_by_counter(state),
        unsettled=unsettled,
    )


def _steps_lost_by_counter(state: State) -> tuple[tuple[str, str, int], ...]:
    """Count the lost steps of the counters of the card's forces; pieces created in play are excluded.

    A removed counter has lost all of its steps, a flipped one those up to the face that it shows; what comes back is
    not subtracted.
    """
    counted = Counter[tuple[str, str]]()
    for piece, sheet in enumerate(state.sheets):
        if sheet.force >= 0 and (lost := steps_lost(state, piece)):
            counted[sheet.side, sheet.original_counter or sheet.counter or sheet.kind] += lost
    return tuple((side, counter, count) for (side, counter), count in sorted(counted.items()))


def steps_lost(state: State, piece: int) -> int:
    """Count the steps that a piece has lost since it arrived, also those that it has got back."""
    sheet = state.sheets[piece]
    first_steps = step_count(state.graph.counters, sheet.original_counter or sheet.counter)
    return first_steps - state.steps_left(piece) + sheet.recovered_steps
