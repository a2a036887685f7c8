"""A player that tries out plans: orders to pieces for the rest of the game, made anew in every phase of its own.

At its first choice in such a phase it plays the game out to the end under the plan it has, and under plans that differ
from it in a thing or two: greedy players on all sides, its own pieces under the orders of the plan, dice of its own.
A plan that comes out better is the next to be changed; what is best when the budget is used up is followed, and is
where the next phase begins. All plans face the same dice, so that what differs comes from the plan, and those
that fall behind are dropped early. (Rolling horizon evolution: Perez, Samothrakis, Lucas and Rohlfshagen,
2013; policy improvement by rollouts: Tesauro and Galperin, 1996.)

Why plans and not single choices: what one step changes is lost among the dice, and greedy play that follows it
brings most steps to nothing. An order holds for the rest of the game, and shows.

The budget is counted in decisions played out, not in time: same seed, same game, on any machine. Secrets of
the others are not in the playthrough it is handed, and its dice are not those of the game. What it has in mind hangs
on its stream of chance, which is one side's in one game; a game taken up from its record begins with no plan.
"""

from weakref import WeakKeyDictionary

from runtime.play.choices import Decision
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough
from runtime.players.greedy import greedy_option
from runtime.players.orders import NO_PLAN, Ground, plan_player
from runtime.players.player import Player
from runtime.players.rehearsal import Rehearsal, budget_share
from runtime.players.simulation import PlaythroughSimulation

BUDGET = 4_000  # decisions played out in a phase, on the average of a game


class _PlanState:
    """The plan of a player in one game, and the phase it was made for."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.phase_key = ""
        self.plan = NO_PLAN
        self.follow: Player = greedy_option


def looking_ahead(budget: int = BUDGET) -> Player:
    """Make such a player."""
    states: WeakKeyDictionary[Stream, _PlanState] = WeakKeyDictionary()

    def lookahead(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        known = states.get(chance)
        if known is None:
            known = states[chance] = _PlanState(Ground(game, playthrough.state.board))
        now, state = playthrough.phase_key(), playthrough.state
        if now != known.phase_key and (state.player == decision.side or not known.phase_key):
            simulation = PlaythroughSimulation(known.ground, playthrough, decision.side)
            rehearsal = Rehearsal(simulation, decision.side, known.ground, chance.seed())
            most = int(budget * budget_share(game, state.turn))
            known.phase_key, known.plan = now, rehearsal.best_plan(known.plan, lambda: simulation.played >= most)
            known.follow = plan_player(known.plan, known.ground)
        return known.follow(game, playthrough, decision, chance)

    return lookahead
