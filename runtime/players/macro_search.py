"""The search player: Monte Carlo search over whole actions, without domain heuristics.

At a decision the incumbent is the action that its plan takes (greedy play under orders, see lookahead.py): the choices
up to its next offer, or to the end of the phase. Rivals are macro-actions: another first option, followed by random or
greedy choices. Each is evaluated by rollouts to the end of the game, rival and incumbent with common random numbers.
Rivals come in batches, each option in turn as the first choice; the better half of a batch continues with twice the
games (sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013), and the
last one replaces the incumbent if its lead exceeds the spread of the games. The threshold is lower than that of a
significance test, as a rival that is wrongly preferred is nearly as good. (Policy improvement by rollouts: Tesauro and
Galperin, 1996; macro-actions, so that effects of a whole action are visible: Powley, Whitehouse and Cowling, "Monte
Carlo tree search with macro-actions", 2012.) Where no rival makes a difference, the search ends early.

An action whose value depends on a later action (a registered target that is fired at two turns later) makes a
difference only if rollouts contain the later one. So rollouts explore: after the action that is tried, the side also
begins actions without a preference or order, with random parameters, wherever no preferred action is open. And dice are
keyed by action and subjects, so that two games differ only by the effects of the action: `search:64` took an action
without a preference in 10 of 28 offers, and in 3 of 18 with dice keyed by phase.

The budget is counted in games for each action, with eight times as many for the plan of each phase, as a change of
plans gains more than that of an action: with 4, 16, 64 and 256 games for a plan, 0.13, 0.26, 0.45 and 0.67 levels in
positions of vaudrey, and 0, 0.08, 0.24 and 0.32 in before_winter, by 40 other games each. Actions are searched from
sixteen games on; with eight, none was ever replaced. A seed and a budget determine the game. A budget may also be in
seconds: the search ends with the game in which they run out, and gives the best action that it has found; its games
depend on the machine. All rollouts start from the side's view, without the secrets of others.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from runtime.graph.dice_subjects import BY_ACTION
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.aims.aim_planner import AimPlanner
from runtime.players.orders import NO_PLAN, Plan, PlanContext
from runtime.players.paired_spread import MeanDifference, PairedSpread
from runtime.players.player import Player
from runtime.players.rehearsal import Rehearsal
from runtime.players.simulation import BrokenOffError, DecisionPoint, PlaythroughSimulation, Simulation, planners_of
from runtime.players.thinking_budget import ClockFunction, ThinkingBudget
from runtime.state.moment import Phase

DEFAULT_BUDGET = ThinkingBudget(48)  # Games played for each action.
# For the plan of a phase, so many times as many; or so many times the seconds, as somebody waits for it.
PLAN_GAMES, PLAN_SECONDS = 8, 2
# The size of a batch of rivals: one for so many games of the budget, within these bounds.
SHARE, SMALLEST, BATCH = 4, 2, 16
# A rival replaces the incumbent if it leads by so many standard errors after at least so many games, as a lead over two
# or three games may be due to their dice. Beyond so many errors, or games, no more are played.
AHEAD, FEWEST_GAMES, SURE, MOST_GAMES = 1.0, 4, 3.5, 32
IDLE = 25  # Rivals in a row that are not new or change nothing, after which nothing is left to be decided.


class _OptionPlace(NamedTuple):
    """The index of an option and the number of options: it is replayed only at a decision with as many."""

    place: int
    options: int


MacroAction = tuple[_OptionPlace, ...]


class MacroSearch:
    """The search at one decision."""

    def __init__(self, simulation: Simulation, plan: Plan, unpreferred: frozenset[str], seed: str) -> None:
        """Start without samples; `unpreferred` are the actions without any preference."""
        self.simulation = simulation
        self.plan = plan
        self.rollout_plan = plan.with_explored(unpreferred)
        self.seed = seed
        self.chance = Stream(seed, "rivals")
        self.values: dict[MacroAction, list[float]] = {}
        self.turn: list[int] = []  # Options whose turn to be the first pick is still to come.
        self.spread = PairedSpread()
        self.budget = DEFAULT_BUDGET
        self.clock: ClockFunction | None = None

    def best_macro_action(self, budget: ThinkingBudget, clock: ClockFunction | None) -> MacroAction:
        """Return the best action within a budget; ends early where no rival makes a difference."""
        self.budget, self.clock = budget, clock
        end = self.meter_reading() + budget.amount
        incumbent, value = self.sample_macro(explores=False)
        self.values[incumbent] = [value or 0.0]
        if not budget.in_seconds and budget.amount < 4 * FEWEST_GAMES:
            return incumbent  # Too few rivals could have enough games beside those of the incumbent.
        size = BATCH if budget.in_seconds else max(SMALLEST, min(BATCH, int(budget.amount) // SHARE))
        while self.meter_reading() < end and (batch := self.batch(incumbent, size, end)):
            incumbent = self.best_by_halving(incumbent, batch, end)
        return incumbent

    def meter_reading(self) -> float:
        """Return the reading of the budget's meter."""
        return self.budget.meter_reading(self.simulation, self.clock)

    def batch(self, incumbent: MacroAction, size: int, end: float) -> list[MacroAction]:
        """Sample up to `size` new rivals with one game each; those with a different value first.

        [] where no new ones are found.
        """
        found: list[MacroAction] = []
        same: list[MacroAction] = []
        idle, now = 0, self.meter_reading()
        # The rest is for those that are found.
        enough = now + (end - now) / 2 if self.budget.in_seconds else now + max(size, (end - now) // 2)
        while len(found) < size and idle < IDLE and self.meter_reading() < (min(end, enough) if found else end):
            rival, value = self.sample_macro(explores=True)
            idle += 1
            if value is None:
                continue
            self.values[rival] = [value]
            difference = value - self.values[incumbent][0]
            self.spread.note(difference)
            if difference:
                idle = 0
                found.append(rival)
            else:
                same.append(rival)
        return [*found, *same][:size]

    def best_by_halving(self, incumbent: MacroAction, batch: list[MacroAction], end: float) -> MacroAction:
        """Return the winner of sequential halving, or the incumbent if the winner is not ahead of it."""
        while batch and self.meter_reading() < end:
            batch = sorted(batch, key=lambda each: self.mean_lead(each, incumbent).mean, reverse=True)
            batch = [each for each in batch[: (len(batch) + 1) // 2] if self.may_be_better(each, incumbent)]
            games = len(self.values[batch[0]]) if batch else MOST_GAMES
            if games >= MOST_GAMES or (len(batch) == 1 and self.is_ahead(batch[0], incumbent, SURE)):
                break
            for number in range(games, 2 * games):
                for each in batch:
                    if self.meter_reading() < end and len(self.values[incumbent]) == number:
                        self.values[incumbent].append(self.play_macro(incumbent, number))
                    if self.meter_reading() < end:
                        self.values[each].append(self.play_macro(each, number))
                        self.spread.note(self.values[each][number] - self.values[incumbent][number])
        winner = max(batch, key=lambda each: self.mean_lead(each, incumbent).mean, default=incumbent)
        return winner if self.is_ahead(winner, incumbent, AHEAD) else incumbent

    def may_be_better(self, rival: MacroAction, incumbent: MacroAction) -> bool:
        """Return whether a rival deserves more games: not if it is behind, or has made no difference so far."""
        rival_values, games = self.values[rival], len(self.values[rival])
        if rival_values == self.values[incumbent][:games]:
            return games < FEWEST_GAMES
        return games == 1 or self.mean_lead(rival, incumbent).mean >= 0

    def is_ahead(self, rival: MacroAction, incumbent: MacroAction, errors: float) -> bool:
        """Return whether a rival leads by so many standard errors, after at least `FEWEST_GAMES` games."""
        return len(self.values[rival]) >= FEWEST_GAMES and self.mean_lead(rival, incumbent).exceeds(errors)

    def mean_lead(self, rival: MacroAction, incumbent: MacroAction) -> MeanDifference:
        """Return the mean lead of a rival and its standard error."""
        return self.spread.mean_lead(self.values[rival], self.values[incumbent])

    def sample_macro(self, *, explores: bool) -> tuple[MacroAction, float | None]:
        """Sample an action by greedy or random choices; return its value with the first dice, None if it is known."""
        simulation = self.simulation
        simulation.begin(self.plan, self.action_dice(0))
        picks: list[_OptionPlace] = []
        try:
            first = point = simulation.next_decision()
            while point is not None and not (picks and first is not None and _is_over(first.phase, point)):
                if explores and not picks:
                    place = self.next_option(point.options)
                elif explores and self.chance.draw(2):
                    place = self.chance.draw(point.options)
                else:
                    place = simulation.policy_choice()
                picks.append(_OptionPlace(place, point.options))
                simulation.choose(place)
                point = simulation.next_decision()
            if tuple(picks) in self.values:
                simulation.abandon()
                return tuple(picks), None
            simulation.follow(self.rollout_plan)
            return tuple(picks), simulation.play_out()
        except BrokenOffError:
            return tuple(picks), None if tuple(picks) in self.values else 0.0

    def action_dice(self, number: int) -> str:
        """Return the seed of a numbered game; dice are keyed by action and subjects (dice.py)."""
        return f"{BY_ACTION}{self.seed}.{number}"

    def next_option(self, options: int) -> int:
        """Return the next first option: all in turn, in a random order for each round."""
        if not self.turn:
            self.turn = list(range(options))
        return self.turn.pop(self.chance.draw(len(self.turn)))

    def play_macro(self, macro: MacroAction, number: int) -> float:
        """Return the value of an action with the dice of this number; the plan continues where it is not legal."""
        simulation = self.simulation
        simulation.begin(self.plan, self.action_dice(number))
        try:
            for pick in macro:
                point = simulation.next_decision()
                if point is None or point.options != pick.options:
                    break
                simulation.choose(pick.place)
            simulation.follow(self.rollout_plan)
            return simulation.play_out()
        except BrokenOffError:
            return 0.0


def _is_over(phase: Phase, point: DecisionPoint) -> bool:
    """Return whether an action is complete: the next offer, or another phase."""
    return point.is_offer or point.phase != phase


class SearchState:
    """The state of a search player in one game: its plan, the plan's phase, and the pending choices of its action."""

    def __init__(
        self, ground: PlanContext, aims: AimPlanner, budget: ThinkingBudget, clock: ClockFunction | None
    ) -> None:
        """Start without changes of the plans that the aims yield."""
        self.ground = ground
        self.aims = aims
        self.budget, self.clock = budget, clock
        self.aimed = self.changes = NO_PLAN
        self.planned_phase: Phase | None = None
        self.phase: Phase | None = None
        self.queue: list[_OptionPlace] = []

    def next_pick(self, point: DecisionPoint) -> int | None:
        """Return the next choice of the current action; None where there is none, or it does not apply any more."""
        if not self.queue or self.phase != point.phase or self.queue[0].options != point.options:
            return None
        return self.queue.pop(0).place

    def search(self, simulation: Simulation, side: str, point: DecisionPoint, seed: str) -> int:
        """Return the first choice of the best action at a decision; in a new phase a plan is searched first."""
        # A position is decoded only where a phase begins: decoding one takes as long as a small game.
        if point.phase != self.planned_phase and (self.planned_phase is None or simulation.position().player == side):
            position = simulation.position()
            simulation.aimed = self.aimed = self.aims.plan(position.hex, position)
            times = PLAN_SECONDS if self.budget.in_seconds else PLAN_GAMES
            end = self.budget.meter_reading(simulation, self.clock) + times * self.budget.amount
            rehearsal = Rehearsal(simulation, side, self.ground, seed)
            self.changes = rehearsal.best_changes(
                self.changes, lambda: self.budget.meter_reading(simulation, self.clock) >= end
            )
            self.planned_phase = point.phase
        simulation.aimed = self.aimed
        search = MacroSearch(simulation, self.changes, self.ground.unpreferred, seed)
        self.queue = list(search.best_macro_action(self.budget, self.clock))
        self.phase = point.phase
        return self.queue.pop(0).place


def search_player(budget: ThinkingBudget = DEFAULT_BUDGET, clock: ClockFunction | None = None) -> Player:
    """Build a player that searches over macro actions."""
    states: WeakKeyDictionary[Stream, tuple[dict[str, AimPlanner], SearchState]] = WeakKeyDictionary()

    def search(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        if chance not in states:
            ground, aims = PlanContext(game, playthrough.state.board), planners_of(game, playthrough.state)
            states[chance] = aims, SearchState(ground, aims[decision.side], budget, clock)
        aims, known = states[chance]
        point = DecisionPoint(playthrough.phase(), len(decision.options), decision.member is None)
        picked = known.next_pick(point)
        if picked is not None:
            return picked
        simulation = PlaythroughSimulation(known.ground, aims, playthrough, decision.side)
        return known.search(simulation, decision.side, point, chance.seed())

    return search
