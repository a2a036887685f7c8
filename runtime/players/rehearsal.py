"""Local search over changes of plans, evaluated by rollouts.

All plans are evaluated with common random numbers, and inferior ones are dropped early.
"""

from collections.abc import Callable

from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.players.orders import NO_PLAN, Plan, PlanContext
from runtime.players.paired_spread import PairedSpread
from runtime.players.plan_candidates import PlanCandidates
from runtime.players.simulation import Simulation, game_value

# The games after which a plan without a lead is dropped, and those after which one with a lead replaces the current
# one: fewer with a large total lead. HOPELESS: the deficit in one game after which no other is played.
LEAST, ENOUGH = 2, 8
CLEAR, HOPELESS = 3.0, -1.0
AHEAD = 0.5  # Standard errors by which one has to be ahead then.
# The number of successive plans without any difference after which the search ends.
IDLE = 100
AFRESH = 4  # One plan in so many is made from none, not from the best so far.


class Rehearsal:
    """The search of one side for changes of the plans that its aims yield."""

    def __init__(self, simulation: Simulation, side: str, ground: PlanContext, seed: str) -> None:
        """Start without rollouts."""
        self.simulation = simulation
        self.side = side
        self.ground = ground
        self.seed = seed

    def best_changes(self, plan: Plan, is_spent: Callable[[], bool]) -> Plan:
        """Return the best changes found within the budget; ends early where mutations make no difference.

        The first rivals are to change nothing any more, and to follow the preferences of the rules alone.
        """
        chance = Stream(self.seed, "ideas")
        ideas = PlanCandidates(self.simulation.position(), self.side, self.ground, chance)
        values: list[float] = []
        spread = PairedSpread()
        rivals = [ideas.without_orders(), NO_PLAN]
        idle = 0
        while not is_spent() and idle < IDLE:
            rival = rivals.pop() if rivals else ideas.changed_plan(plan if chance.draw(AFRESH) else NO_PLAN)
            if rival == plan:
                idle += 1
                continue
            rival_values: list[float] = []
            ahead = 0.0
            while (
                not is_spent()
                and _deserves_another_game(len(rival_values), ahead)
                and not _replaces_incumbent(len(rival_values), ahead)
            ):
                number = len(rival_values)
                if number == len(values):
                    values.append(self.value(plan, number))
                rival_values.append(self.value(rival, number))
                ahead += rival_values[-1] - values[number]
                spread.note(rival_values[-1] - values[number])
            idle = idle + 1 if rival_values == values[: len(rival_values)] else 0
            if _replaces_incumbent(len(rival_values), ahead) and spread.mean_lead(rival_values, values).exceeds(AHEAD):
                plan, values = rival, rival_values
        return plan

    def value(self, plan: Plan, number: int) -> float:
        """Return the value of a rollout with the dice of this number."""
        return game_value(self.simulation, plan, f"{self.seed}.{number}")


def _deserves_another_game(games: int, ahead: float) -> bool:
    """Return whether a plan deserves another game against the current one."""
    return ahead > 0 or (ahead >= HOPELESS and games < LEAST)


def _replaces_incumbent(games: int, ahead: float) -> bool:
    """Return whether a plan leads enough to replace the current one."""
    return games >= ENOUGH or (games >= LEAST and ahead >= CLEAR)


def budget_share(game: Game, turn: int) -> float:
    """Return the share of the mean budget of a phase for this turn, proportional to the rest of the game."""
    card = game.graph.scenario
    if not card:
        return 1.0
    return 2 * max(1, card.turns - turn + 1) / (card.turns + 1)
