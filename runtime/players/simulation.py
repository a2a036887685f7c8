"""Rollouts from a side's view of a decision; all sides are greedy, and plan by their aims in each phase.

In: a playthrough of the machine, here, or a game of a compiled module (native_planner.py). Out: values for the side.
Decisions, choices and dice are equal in both, so that a player makes the same choice in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from runtime.graph.answer_errors import Unanswered
from runtime.play.dice import Stream
from runtime.play.game import FinishedGame, Game
from runtime.play.game_budget import GameBudget
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules, TooMuchToPlay
from runtime.players.aims.aim_planner import AimPlanner
from runtime.players.aims.greedy_player import AimedSeat
from runtime.players.orders import NO_PLAN, Plan, PlanContext
from runtime.players.player import Seat, choose_option, sides_of
from runtime.state.moment import Phase
from runtime.state.position import GONE, State
from runtime.state.record import Value

# A level of victory, and the whole of an army: what is left tells what comes to the same level apart. With 0.5 for an
# army, one of three pieces that was saved outweighed a level lost in one game of six, and was seen in four games.
LEVEL, ARMY = 1.0, 0.2


class DecisionPoint(NamedTuple):
    """A decision of the side: its phase, the number of options, and whether it is an offer."""

    phase: Phase
    options: int
    is_offer: bool


class BrokenOffError(Exception):
    """The rules are broken in a rollout, which is discarded."""


class Simulation(Protocol):
    """The interface of rollouts from one position. `played` counts decisions and games, `games` the games alone.

    `aimed` is the plan of the side's aims in the current phase. What a plan changes applies to it, and to those that
    the side makes in later phases.
    """

    played: int
    games: int
    aimed: Plan

    def position(self) -> State:
        """Return the side's view of the position, before any rollout."""
        ...

    def begin(self, changes: Plan, seed: str) -> None:
        """Restore the initial position, with the dice of a seed and changes of the side's plans."""
        ...

    def next_decision(self) -> DecisionPoint | None:
        """Run to the next decision of the side; None at the end of the game."""
        ...

    def policy_choice(self) -> int:
        """Return the index of the option that a greedy player with the plan takes."""
        ...

    def choose(self, index: int) -> None:
        """Apply the option with this index."""
        ...

    def follow(self, changes: Plan) -> None:
        """Replace the changes of the side's plans."""
        ...

    def play_out(self) -> float:
        """Run to the end by the plan and return the value for the side (`margin`)."""
        ...

    def abandon(self) -> None:
        """Discard the current game from the count."""
        ...


@contextmanager
def _breaking_off() -> Iterator[None]:
    """Convert broken rules to `BrokenOffError`; an exhausted work budget stops the game itself."""
    try:
        yield
    except TooMuchToPlay:
        raise
    except (BrokenRules, Unanswered):
        raise BrokenOffError from None


def game_value(simulation: Simulation, changes: Plan, seed: str) -> float:
    """Return the value of one game with changed plans; 0 where rules break."""
    simulation.begin(changes, seed)
    try:
        return simulation.play_out()
    except BrokenOffError:
        return 0.0


class PlaythroughSimulation:
    """Rollouts from a playthrough of the machine."""

    def __init__(
        self, ground: PlanContext, aims: Mapping[str, AimPlanner], playthrough: Playthrough, side: str
    ) -> None:
        """Start from the state of the playthrough; `aims` are those of all sides."""
        self.game = ground.game
        self.ground = ground
        self.aims = aims
        self.side = side
        self.aimed = NO_PLAN
        self.played = self.games = 0
        self.root = playthrough.copy()
        # What has happened is of no use to those who play on; only the number of the choice is.
        self.root.journal, self.root.checkpoints, self.root.endings_checked_to = [], playthrough.checkpoints[-1:], -1
        self.playthrough = self.root
        self.seats: dict[str, Seat] = {}
        self.decision: Decision | None = None
        self.budget = GameBudget(is_separate=True)

    def position(self) -> State:
        """Return the position."""
        return self.root.state

    def begin(self, changes: Plan, seed: str) -> None:
        """Restore the initial position."""
        self.playthrough = self.root.copy()
        self.playthrough.seed = seed
        self.seats = {
            side: Seat(AimedSeat(self.ground, planner).choose_option, Stream(seed, side))
            for side, planner in self.aims.items()
        }
        self.follow(changes)
        self.budget = GameBudget(is_separate=True)
        self.games += 1
        self.played += 1

    def next_decision(self) -> DecisionPoint | None:
        """Play on to the next decision of the side."""
        with _breaking_off():
            while isinstance(decision := self._advance(), Decision):
                if decision.side == self.side:
                    self.decision = decision
                    return DecisionPoint(self.playthrough.phase(), len(decision.options), decision.member is None)
                self._take(decision, self._answer(decision))
        return None

    def policy_choice(self) -> int:
        """Return what is preferred."""
        assert self.decision is not None
        with _breaking_off():
            return self._answer(self.decision)

    def choose(self, index: int) -> None:
        """Select an option."""
        assert self.decision is not None
        with _breaking_off():
            self._take(self.decision, index)

    def follow(self, changes: Plan) -> None:
        """Continue with other changes."""
        seat = AimedSeat(self.ground, self.aims[self.side], changes)
        seat.follow(self.aimed, self.playthrough.phase())
        self.seats[self.side] = self.seats[self.side]._replace(player=seat.choose_option)

    def play_out(self) -> float:
        """Play on to the end."""
        with _breaking_off():
            while isinstance(decision := self._advance(), Decision):
                self._take(decision, self._answer(decision))
        playthrough, outcome = self.playthrough, self.game.graph.outcome
        levels = {side: self.game.level_of(playthrough, side) if outcome else 0 for side in self.aims}
        return lead_margin(self.side, levels, playthrough.state, playthrough.state.hex)

    def abandon(self) -> None:
        """Count no game."""
        self.games -= 1

    def _advance(self) -> Decision | FinishedGame:
        with self.budget.decision(self.game, self.playthrough):
            return self.game.advance(self.playthrough)

    def _answer(self, decision: Decision) -> int:
        with self.budget.decision(self.game, self.playthrough):
            return choose_option(self.game, self.playthrough, decision, self.seats)

    def _take(self, decision: Decision, index: int) -> None:
        self.game.apply(self.playthrough, decision, index)
        self.played += 1


def planners_of(game: Game, state: State) -> dict[str, AimPlanner]:
    """Return the planners of all who play."""
    return {side: AimPlanner(game, state, side) for side in sides_of(game, state)}


def lead_margin(side: str, levels: Mapping[str, Value], state: State, hexes: Sequence[int]) -> float:
    """Return how far a side is ahead of the best of the others: in level, and in what is left of its forces.

    `hexes` says where each piece stands, those that play has made behind those of the state.
    """
    worth = {}
    for each, level in levels.items():
        pieces = [piece for piece, sheet in enumerate(state.sheets) if sheet.side == each and sheet.force >= 0]
        left = sum(hexes[piece] != GONE for piece in pieces) / max(1, len(pieces))
        worth[each] = LEVEL * float(level) + ARMY * left
    return worth.pop(side) - max(worth.values(), default=0.0)
