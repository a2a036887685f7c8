"""A player that needs no hints: it tries out whole actions, whatever the rules say of them, and plays the best.

At a decision it has what it would do by its plan (greed under orders, see lookahead.py): the choices up to its next
offer, or to the end of the phase. Against that it tries rivals: another option, and behind it now choices at random,
now those of greed. Each is played out to the end of the game, rival and incumbent with the same dice. Rivals come in
batches, each option in its turn as the first pick; the better half of a batch goes on with twice the games each time
(sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013), and the
last one takes the place of the incumbent if it is ahead by more than the games scatter. A false step costs little, as
what is wrongly preferred is nearly as good; so less is asked than a test would ask. (Policy improvement by rollouts:
Tesauro and Galperin, 1996; choices joined to actions, so that what only a whole action achieves is seen: Powley,
Whitehouse and Cowling, "Monte Carlo tree search with macro-actions", 2012.)
Where nothing tried comes out otherwise, it soon stops.

What is worth something only with a later action (a hex that is written down, and shelled two turns on) would never come
out otherwise if nobody took the later one. So rollouts explore: behind the action that is tried, the side also begins
actions of which no preference and no order speaks, with parameters at random, wherever it has nothing better to do. And
dice belong to who does what to whom, so that two games differ by what the action changes, not by whose die was next:
`search:64` took an action that nothing spoke of in 10 of 28 offers so, and in 3 of 18 with dice of the phase.

The budget is counted in games: so many for each action, and eight times as many for the plan of each phase. Same seed
and budget, same game. What the others keep secret is in none of the positions it plays from.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from runtime.graph.dice_subjects import BY_ACTION
from runtime.play.choices import Decision
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough
from runtime.players.orders import NO_PLAN, Ground, Plan
from runtime.players.paired_spread import MeanDifference, PairedSpread
from runtime.players.player import Player
from runtime.players.rehearsal import Rehearsal
from runtime.players.simulation import BrokenOffError, DecisionPoint, PlaythroughSimulation, Simulation

GAMES = 32  # Games played for each action; for the plan of a phase, so many times as many.
PLANNING = 8
# Rivals that are tried together: one for so many games of the budget, within these.
SHARE, SMALLEST, BATCH = 4, 2, 16
# A rival takes the incumbent's place if it is so many standard errors ahead in so many games at least: what wins with
# two or three throws of dice may do so with these alone. Beyond so many errors, or games, no more are played of it.
AHEAD, LEAST, SURE, MOST = 1.0, 4, 3.5, 32
IDLE = 25  # Rivals in a row that are not new or change nothing, after which nothing is left to be decided.


class OptionPlace(NamedTuple):
    """An option by its place, and among how many: it is taken again only where as many are open."""

    place: int
    options: int


Macro = tuple[OptionPlace, ...]


class MacroSearch:
    """Looks for the best action from a decision on."""

    def __init__(self, simulation: Simulation, plan: Plan, unpreferred: frozenset[str], seed: str) -> None:
        """Begin with nothing tried; `unpreferred` are the actions that no preference speaks of."""
        self.simulation = simulation
        self.plan = plan
        self.rollout_plan = plan.with_explored(unpreferred)
        self.seed = seed
        self.chance = Stream(seed, "rivals")
        self.values: dict[Macro, list[float]] = {}
        self.turn: list[int] = []  # Options whose turn to be the first pick is still to come.
        self.spread = PairedSpread()

    def best_macro(self, games: int) -> Macro:
        """Try rivals until so many games are played, or nothing makes a difference."""
        simulation = self.simulation
        end = simulation.games + games
        incumbent, value = self.sample_macro(explores=False)
        self.values[incumbent] = [value or 0.0]
        size = max(SMALLEST, min(BATCH, games // SHARE))
        while simulation.games < end and (batch := self.batch(incumbent, size, end)):
            incumbent = self.best_by_halving(incumbent, batch, end)
        return incumbent

    def batch(self, incumbent: Macro, size: int, end: int) -> list[Macro]:
        """Make rivals that nobody has tried, and play each once; those that came out otherwise stand first.

        None where no more are found.
        """
        found: list[Macro] = []
        same: list[Macro] = []
        idle, simulation = 0, self.simulation
        enough = simulation.games + max(size, (end - simulation.games) // 2)  # The rest is for those that are found.
        while len(found) < size and idle < IDLE and simulation.games < (min(end, enough) if found else end):
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

    def best_by_halving(self, incumbent: Macro, batch: list[Macro], end: int) -> Macro:
        """Play on with the better half again and again, until one is left; give that or the incumbent."""
        simulation = self.simulation
        while batch and simulation.games < end:
            batch = sorted(batch, key=lambda each: self.mean_lead(each, incumbent).mean, reverse=True)
            batch = [each for each in batch[: (len(batch) + 1) // 2] if self.may_be_better(each, incumbent)]
            games = len(self.values[batch[0]]) if batch else MOST
            if games >= MOST or (len(batch) == 1 and self.is_ahead(batch[0], incumbent, SURE)):
                break
            for number in range(games, 2 * games):
                for each in batch:
                    if simulation.games < end and len(self.values[incumbent]) == number:
                        self.values[incumbent].append(self.play_macro(incumbent, number))
                    if simulation.games < end:
                        self.values[each].append(self.play_macro(each, number))
                        self.spread.note(self.values[each][number] - self.values[incumbent][number])
        winner = max(batch, key=lambda each: self.mean_lead(each, incumbent).mean, default=incumbent)
        return winner if self.is_ahead(winner, incumbent, AHEAD) else incumbent

    def may_be_better(self, rival: Macro, incumbent: Macro) -> bool:
        """Say whether more games of a rival are worth while: not where it is behind, or made no difference so far."""
        theirs, games = self.values[rival], len(self.values[rival])
        if theirs == self.values[incumbent][:games]:
            return games < LEAST
        return games == 1 or self.mean_lead(rival, incumbent).mean >= 0

    def is_ahead(self, rival: Macro, incumbent: Macro, errors: float) -> bool:
        """Return whether a rival is ahead by so many standard errors; after a few games nothing can be said."""
        return len(self.values[rival]) >= LEAST and self.mean_lead(rival, incumbent).exceeds(errors)

    def mean_lead(self, rival: Macro, incumbent: Macro) -> MeanDifference:
        """Return how far a rival is ahead on the average, and the standard error of that."""
        return self.spread.mean_lead(self.values[rival], self.values[incumbent])

    def sample_macro(self, *, explores: bool) -> tuple[Macro, float | None]:
        """Make an action by greed or by chance; say how it comes out with the first dice, None if that is known."""
        simulation = self.simulation
        simulation.begin(self.plan, self.action_dice(0))
        made: list[OptionPlace] = []
        try:
            first = now = simulation.next_decision()
            while now is not None and not (made and first is not None and is_over(first.phase_key, now)):
                if explores and not made:
                    place = self.next_option(now.options)
                elif explores and self.chance.draw(2):
                    place = self.chance.draw(now.options)
                else:
                    place = simulation.policy_choice()
                made.append(OptionPlace(place, now.options))
                simulation.choose(place)
                now = simulation.next_decision()
            if tuple(made) in self.values:
                simulation.abandon()
                return tuple(made), None
            simulation.follow(self.rollout_plan)
            return tuple(made), simulation.finish()
        except BrokenOffError:
            return tuple(made), None if tuple(made) in self.values else 0.0

    def action_dice(self, number: int) -> str:
        """Name dice of a number: they belong to who does what to whom, so that actions differ by what they change."""
        return f"{BY_ACTION}{self.seed}.{number}"

    def next_option(self, options: int) -> int:
        """Assign each option its turn to be the first pick, in an order that chance settles anew each time round."""
        if not self.turn:
            self.turn = list(range(options))
        return self.turn.pop(self.chance.draw(len(self.turn)))

    def play_macro(self, macro: Macro, number: int) -> float:
        """Play an action with the dice of this number; where it can't go on as it was made, the plan does."""
        simulation = self.simulation
        simulation.begin(self.plan, self.action_dice(number))
        try:
            for pick in macro:
                now = simulation.next_decision()
                if now is None or now.options != pick.options:
                    break
                simulation.choose(pick.place)
            simulation.follow(self.rollout_plan)
            return simulation.finish()
        except BrokenOffError:
            return 0.0


def is_over(phase_key: str, now: DecisionPoint) -> bool:
    """Return whether an action is over that was begun in a phase: the next one is offered."""
    return now.is_offer or now.phase_key != phase_key


class SearchState:
    """The state of a search in one game: its plan, for which phase it was made, and the picks still to be taken."""

    def __init__(self, ground: Ground, games: int) -> None:
        """Begin without a plan; `games` are the budget."""
        self.ground = ground
        self.games = games
        self.plan = NO_PLAN
        self.planned = ""
        self.phase_key = ""
        self.queue: list[OptionPlace] = []

    def next_pick(self, now: DecisionPoint) -> int | None:
        """Take the next pick of the action begun; None where there is none, or it cannot be taken any more."""
        if not self.queue or self.phase_key != now.phase_key or self.queue[0].options != now.options:
            return None
        return self.queue.pop(0).place

    def search(self, simulation: Simulation, side: str, now: DecisionPoint, seed: str) -> int:
        """Search for the best action from a decision on, in a new phase for a plan first; take its first pick."""
        # A position is read only where a phase begins: reading one takes as long as playing a small game.
        if now.phase_key != self.planned and (not self.planned or simulation.position().player == side):
            end = simulation.games + PLANNING * self.games
            rehearsal = Rehearsal(simulation, side, self.ground, seed)
            self.plan = rehearsal.best_plan(self.plan, lambda: simulation.games >= end)
            self.planned = now.phase_key
        self.queue = list(MacroSearch(simulation, self.plan, self.ground.unpreferred, seed).best_macro(self.games))
        self.phase_key = now.phase_key
        return self.queue.pop(0).place


def search_player(games: int = GAMES) -> Player:
    """Make such a player."""
    states: WeakKeyDictionary[Stream, tuple[Ground, SearchState]] = WeakKeyDictionary()

    def search(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        found = states.get(chance)
        if found is None:
            ground = Ground(game, playthrough.state.board)
            found = states[chance] = (ground, SearchState(ground, games))
        ground, known = found
        now = DecisionPoint(playthrough.phase_key(), len(decision.options), decision.member is None)
        picked = known.next_pick(now)
        if picked is not None:
            return picked
        return known.search(
            PlaythroughSimulation(ground, playthrough, decision.side), decision.side, now, chance.seed()
        )

    return search
