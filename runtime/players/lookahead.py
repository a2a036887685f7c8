"""The lookahead player: local search over plans, evaluated by rollouts.

A plan is a set of orders to pieces for the rest of the game. At its first choice in each phase of its own, the player
evaluates the current plan and mutations of it by rollouts to the end of the game: greedy players on all sides, its own
pieces under the orders of the plan, with dice of its own. A better plan replaces the current one; the best plan when
the budget is exhausted is followed, and is the start of the search in the next phase. All plans are evaluated with
common random numbers, and inferior ones are dropped early. (Rolling horizon evolution: Perez, Samothrakis, Lucas and
Rohlfshagen, 2013; policy improvement by rollouts: Tesauro and Galperin, 1996.)

Plans are searched instead of single choices because the effect of one step is small against the variance of the dice,
and is mostly undone by the greedy play that follows. An order is effective for the rest of the game.

The budget is counted in decisions of rollouts, not in time, so that a seed determines the game on any machine. The
playthrough is the side's view, without the secrets of others, and its dice are not those of the game. The plan is
stored by the random stream, which belongs to one side in one game; a game continued from its record starts without a
plan.
"""

from weakref import WeakKeyDictionary

from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.aims.aim_planner import AimPlanner
from runtime.players.greedy import greedy_option
from runtime.players.orders import NO_PLAN, PlanContext, plan_player
from runtime.players.player import Player
from runtime.players.rehearsal import Rehearsal, budget_share
from runtime.players.simulation import PlaythroughSimulation
from runtime.state.moment import Phase

BUDGET = 4_000  # decisions played out in a phase, on the average of a game


class _PlanState:
    """The plan of a player in one game, and the phase for which it was computed."""

    def __init__(self, game: Game, playthrough: Playthrough, side: str) -> None:
        self.ground = PlanContext(game, playthrough.state.board)
        self.aims = AimPlanner(game, playthrough.state, side)
        self.phase: Phase | None = None
        self.plan = NO_PLAN
        self.player: Player = greedy_option


def lookahead_player(budget: int) -> Player:
    """Return a lookahead player."""
    states: WeakKeyDictionary[Stream, _PlanState] = WeakKeyDictionary()

    def lookahead(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        known = states.get(chance)
        if known is None:
            known = states[chance] = _PlanState(game, playthrough, decision.side)
        phase, state = playthrough.phase(), playthrough.state
        if phase != known.phase and (state.player == decision.side or known.phase is None):
            simulation = PlaythroughSimulation(known.ground, playthrough, decision.side)
            rehearsal = Rehearsal(simulation, known.aims, known.ground, chance.seed())
            most = int(budget * budget_share(game, state.turn))
            known.phase, known.plan = phase, rehearsal.best_plan(known.plan, lambda: simulation.played >= most)
            known.player = plan_player(known.plan, known.ground)
        return known.player(game, playthrough, decision, chance)

    return lookahead
