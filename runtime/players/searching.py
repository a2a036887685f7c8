"""A player that needs no hints: it tries out whole actions, whatever the rules say of them, and plays the best.

At a decision it has what it would do by its plan (greed under orders, see lookahead.py): the choices up to its next
offer, or to the end of the phase. Against that it tries rivals: another option, and behind it now choices at random,
now those of greed. Each is played out to the end of the game, rival and incumbent with the same dice, and a rival that
is ahead beyond chance takes the place of the incumbent (racing: Maron and Moore, 1994; policy improvement by rollouts:
Tesauro and Galperin, 1996; choices joined to actions, so that what only a whole action achieves is seen: Powley,
Whitehouse and Cowling, "Monte Carlo tree search with macro-actions", 2012). Where nothing tried comes out otherwise, it
soon stops.

The budget is counted in games: so many for each action, and four times as many for the plan of each phase. Same seed
and budget, same game. What the others keep secret is in none of the positions it plays from.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.players.orders import NO_PLAN, Ground, Plan
from runtime.players.player import Player
from runtime.players.rehearsal import Rehearsal, offered
from runtime.players.simulation import BrokenOffError, CourseSimulation, DecisionPoint, Simulation

GAMES = 32  # Games played for each action; for the plan of a phase, so many times as many.
PLANNING = 4
# After how many games a rival takes the place of the incumbent, being so many standard errors ahead of it.
EARLY, SURE, LATE, LIKELY = 6, 3.5, 24, 2.5
IDLE = 25  # Rivals in a row that are not new or change nothing, after which nothing is left to be decided.


class Pick(NamedTuple):
    """An option by its place, and among how many: it is taken again only where as many are open."""

    place: int
    options: int


Macro = tuple[Pick, ...]


class MacroSearch:
    """Looks for the best action from a decision on."""

    def __init__(self, simulation: Simulation, plan: Plan, seed: str) -> None:
        """Begin with nothing tried."""
        self.simulation = simulation
        self.plan = plan
        self.seed = seed
        self.chance = Stream(seed, "rivals")

    def best(self, games: int) -> Macro:
        """Try rivals until so many games are played, or nothing makes a difference."""
        simulation = self.simulation
        end = simulation.games + games
        incumbent, value = self.sampled(explores=False)
        values, tried, idle = [value], {incumbent}, 0
        while simulation.games < end and idle < IDLE:
            rival, value = self.sampled(explores=True)
            if rival in tried:
                idle += 1
                continue
            tried.add(rival)
            theirs = [value]
            while simulation.games < end and goes_on(theirs, values):
                if len(theirs) == len(values):
                    values.append(self.played(incumbent, len(values)))
                theirs.append(self.played(rival, len(theirs)))
            differs = theirs != values[: len(theirs)]
            idle = 0 if differs else idle + 1
            if is_ahead(theirs, values):
                incumbent, values = rival, theirs
        return incumbent

    def sampled(self, *, explores: bool) -> tuple[Macro, float]:
        """Make an action by greed or by chance, with the first dice, and say how it comes out."""
        simulation = self.simulation
        simulation.begin(self.plan, f"{self.seed}.0")
        made: list[Pick] = []
        try:
            first = now = simulation.asked()
            while now is not None and not (made and first is not None and is_over(first.stretch, now)):
                if explores and (not made or self.chance.draw(2)):
                    place = self.chance.draw(now.options)
                else:
                    place = simulation.policy_choice()
                made.append(Pick(place, now.options))
                simulation.choose(place)
                now = simulation.asked()
            return tuple(made), simulation.finish()
        except BrokenOffError:
            return tuple(made), 0.0

    def played(self, macro: Macro, number: int) -> float:
        """Play an action with the dice of this number; where it can't go on as it was made, the plan does."""
        simulation = self.simulation
        simulation.begin(self.plan, f"{self.seed}.{number}")
        try:
            for pick in macro:
                now = simulation.asked()
                if now is None or now.options != pick.options:
                    break
                simulation.choose(pick.place)
            return simulation.finish()
        except BrokenOffError:
            return 0.0


def is_over(stretch: str, now: DecisionPoint) -> bool:
    """Say whether an action is over that was begun in a stretch of the game: the next one is offered."""
    return now.is_offer or now.stretch != stretch


def differences(theirs: list[float], values: list[float]) -> tuple[float, float]:
    """Give the mean of paired differences and its standard error, 0 where all are the same."""
    parts = [one - other for one, other in zip(theirs, values, strict=False)]
    mean = sum(parts) / len(parts)
    if len(parts) == 1:
        return mean, 0.0
    spread = sum((each - mean) ** 2 for each in parts) / (len(parts) - 1)
    return mean, (spread / len(parts)) ** 0.5


def goes_on(theirs: list[float], values: list[float]) -> bool:
    """Say whether a rival deserves another game: not if it is behind in two, or changes nothing in one."""
    if len(theirs) > len(values):
        return True
    mean, _ = differences(theirs, values)
    return len(theirs) < LATE and (mean > 0 or (mean < 0 and len(theirs) < 2)) and not is_ahead(theirs, values)


def is_ahead(theirs: list[float], values: list[float]) -> bool:
    """Say whether a rival is ahead beyond chance."""
    mean, error = differences(theirs, values)
    games = min(len(theirs), len(values))
    return mean > 0 and ((games >= EARLY and mean > SURE * error) or (games >= LATE and mean > LIKELY * error))


class SearchState:
    """The state of a search in one game: its plan, for which stretch it was made, and the picks still to be taken."""

    def __init__(self, actions: list[str], games: int) -> None:
        """Begin without a plan; `actions` may be shunned, `games` are the budget."""
        self.actions = actions
        self.games = games
        self.plan = NO_PLAN
        self.planned = ""
        self.stretch = ""
        self.queue: list[Pick] = []

    def next_pick(self, now: DecisionPoint) -> int | None:
        """Take the next pick of the action begun; None where there is none, or it cannot be taken any more."""
        if not self.queue or self.stretch != now.stretch or self.queue[0].options != now.options:
            return None
        return self.queue.pop(0).place

    def search(self, simulation: Simulation, side: str, now: DecisionPoint, seed: str) -> int:
        """Search for the best action from a decision on, in a new phase for a plan first; take its first pick."""
        # A position is read only where a phase begins: reading one takes as long as playing a small game.
        if now.stretch != self.planned and (not self.planned or simulation.position().player == side):
            end = simulation.games + PLANNING * self.games
            rehearsal = Rehearsal(simulation, side, self.actions, seed)
            self.plan = rehearsal.best(self.plan, lambda: simulation.games >= end)
            self.planned = now.stretch
        self.queue = list(MacroSearch(simulation, self.plan, seed).best(self.games))
        self.stretch = now.stretch
        return self.queue.pop(0).place


def searching(games: int = GAMES) -> Player:
    """Make such a player."""
    states: WeakKeyDictionary[Stream, tuple[Ground, SearchState]] = WeakKeyDictionary()

    def search(game: Game, course: Course, decision: Decision, chance: Stream) -> int:
        found = states.get(chance)
        if found is None:
            ground = Ground(game, course.state.board)
            found = states[chance] = (ground, SearchState(offered(ground.game), games))
        ground, known = found
        now = DecisionPoint(course.stretch(), len(decision.options), decision.member is None)
        picked = known.next_pick(now)
        if picked is not None:
            return picked
        return known.search(CourseSimulation(ground, course, decision.side), decision.side, now, chance.seed())

    return search
