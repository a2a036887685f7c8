"""The lookahead player: local search over plans, evaluated by rollouts.

A plan is a set of orders to pieces for the rest of the game, which replace those of the aims. At its first choice in
each phase of its own, the player evaluates the current plan and mutations of it by rollouts to the end of the game:
greedy players on all sides, its own pieces under the orders of the plan, with dice of its own. A better plan replaces
the current one; the best plan when the budget is exhausted is followed, and is the start of the search in the next
phase. All plans are evaluated with
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
from runtime.players.aims.greedy_player import AimedSeat
from runtime.players.orders import PlanContext
from runtime.players.player import Player
from runtime.players.rehearsal import Rehearsal, budget_share
from runtime.players.simulation import PlaythroughSimulation, planners_of

BUDGET = 4_000  # decisions played out in a phase, on the average of a game


def lookahead_player(budget: int) -> Player:
    """Return a lookahead player."""
    states: WeakKeyDictionary[Stream, tuple[dict[str, AimPlanner], AimedSeat]] = WeakKeyDictionary()

    def lookahead(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        state, side = playthrough.state, decision.side
        if chance not in states:
            aims = planners_of(game, state)
            states[chance] = aims, AimedSeat(PlanContext(game, state.board), aims[side])
        aims, seat = states[chance]
        phase = playthrough.phase()
        if phase != seat.phase and (state.player == side or seat.phase is None):
            simulation = PlaythroughSimulation(seat.ground, aims, playthrough, side)
            simulation.aimed = aims[side].plan(state.hex, state)
            rehearsal = Rehearsal(simulation, side, seat.ground, chance.seed())
            most = int(budget * budget_share(game, state.turn))
            seat.changes = rehearsal.best_changes(seat.changes, lambda: simulation.played >= most)
            seat.follow(simulation.aimed, phase)
        return seat.choose_option(game, playthrough, decision, chance)

    return lookahead
