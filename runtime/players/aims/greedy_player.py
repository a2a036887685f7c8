"""The player `greedy`: the preferences of the rules within an action, and the aims of the outcome among moves.

Before its first choice in each phase of its own it plans which piece goes where (aim_planner.py); then it follows the
plan as a greedy player with orders (orders.py). A side without aims plays by the preferences alone.
"""

from weakref import WeakKeyDictionary

from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.aims.aim_planner import AimPlanner
from runtime.players.greedy import greedy_option
from runtime.players.orders import NO_PLAN, Plan, PlanContext, plan_player
from runtime.players.player import Player
from runtime.state.moment import Phase


class AimedSeat:
    """A greedy player of one side in one game, the phase for which it has planned, and what it changes in each plan."""

    def __init__(self, ground: PlanContext, planner: AimPlanner, changes: Plan = NO_PLAN) -> None:
        """Start without a plan."""
        self.ground = ground
        self.planner = planner
        self.changes = changes
        self.phase: Phase | None = None
        self.player: Player = greedy_option

    def follow(self, aimed: Plan, phase: Phase) -> None:
        """Replace the plan by one of the aims, with the changes, for a phase."""
        self.phase = phase
        self.player = plan_player(aimed.changed_by(self.changes), self.ground)

    def choose_option(self, game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        """Return the index of an option, with a new plan in a new phase."""
        phase, state = playthrough.phase(), playthrough.state
        if phase != self.phase and (state.player == decision.side or self.phase is None):
            self.follow(self.planner.plan(state.hex, state), phase)
        return self.player(game, playthrough, decision, chance)


def greedy_player() -> Player:
    """Return a greedy player with aims. What it knows of a game is stored by its random stream."""
    seats: WeakKeyDictionary[Stream, AimedSeat] = WeakKeyDictionary()

    def choose(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        seat = seats.get(chance)
        if seat is None:
            ground = PlanContext(game, playthrough.state.board)
            seat = seats[chance] = AimedSeat(ground, AimPlanner(game, playthrough.state, decision.side))
        return seat.choose_option(game, playthrough, decision, chance)

    return choose
