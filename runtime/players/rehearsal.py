"""Look for a better plan: play on under plans that differ in a thing or two, and keep what comes out better.

All plans face the same dice, so that what differs comes from the plan, and those that fall behind are dropped early.
Games are played by a `Simulation`: the machine, or a compiled module (native.py), with the same result.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.play.broken import BrokenRules
from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.players.greedy import greedy
from runtime.players.ideas import Ideas
from runtime.players.orders import NO_PLAN, Ground, Plan, following
from runtime.players.player import Seat, answer
from runtime.state.position import GONE, State
from runtime.state.record import Value

# Games after which a plan that is not ahead is dropped, and those after which one that is replaces the plan before:
# fewer, if it is so far ahead in all of them together. HOPELESS: so far behind in one that another is not worth while.
LEAST, ENOUGH = 2, 8
CLEAR, HOPELESS = 3.0, -1.0
# Plans in a row that change nothing at all, after which there is nothing left to be decided.
IDLE = 25
AFRESH = 4  # One plan in so many is made from none, not from the best so far.
# A level of victory, and the whole of an army: what is left tells plans of the same level apart.
LEVEL, ARMY = 1.0, 0.5


class Simulation(Protocol):
    """A position as one side knows it, from which play goes on again and again. `played` counts decisions."""

    played: int

    def position(self) -> State:
        """Give the position."""
        ...

    def value(self, plan: Plan, seed: str) -> float:
        """Play on to the end, the side by a plan and all others by greed, with these dice; say how it comes out."""
        ...


class Rehearsal:
    """Looks for plans of one side."""

    def __init__(self, simulation: Simulation, side: str, actions: Sequence[str], seed: str) -> None:
        """Begin with nothing played; `actions` may be shunned."""
        self.simulation = simulation
        self.side = side
        self.actions = actions
        self.seed = seed

    def best(self, plan: Plan, budget: int) -> Plan:
        """Look for a better plan until so many decisions are played, or nothing makes a difference any more."""
        chance, simulation = Stream(self.seed, "ideas"), self.simulation
        ideas = Ideas(simulation.position(), self.side, self.actions, chance)
        values: list[float] = []
        rivals = [NO_PLAN] if plan.orders or plan.shunned else []
        idle = 0
        while simulation.played < budget and idle < IDLE:
            rival = rivals.pop() if rivals else ideas.after(plan if chance.draw(AFRESH) else NO_PLAN)
            if rival == plan:
                idle += 1
                continue
            theirs: list[float] = []
            ahead = 0.0
            while simulation.played < budget and promising(len(theirs), ahead) and not settled(len(theirs), ahead):
                number = len(theirs)
                if number == len(values):
                    values.append(self.value(plan, number))
                theirs.append(self.value(rival, number))
                ahead += theirs[-1] - values[number]
            idle = idle + 1 if theirs == values[: len(theirs)] else 0
            if ahead > 0 and settled(len(theirs), ahead):
                plan, values = rival, theirs
        return plan

    def value(self, plan: Plan, number: int) -> float:
        """Play on with the dice of this number."""
        return self.simulation.value(plan, f"{self.seed}.{number}")


class CourseSimulation:
    """Plays on from a course of the machine."""

    def __init__(self, ground: Ground, course: Course, side: str) -> None:
        """Stand where the course stands."""
        self.game = ground.game
        self.ground = ground
        self.side = side
        self.played = 0
        self.root = course.copy()
        # What has happened is of no use to those who play on; only the number of the choice is.
        self.root.journal, self.root.marks, self.root.settled = [], course.marks[-1:], -1
        self.sides = sides_of(self.game, course.state)

    def position(self) -> State:
        """Give the position."""
        return self.root.state

    def value(self, plan: Plan, seed: str) -> float:
        """Play on; rules that break are nobody's gain."""
        course = self.root.copy()
        course.seed = seed
        seats = {side: Seat(greedy, Stream(seed, side)) for side in self.sides}
        seats[self.side] = seats[self.side]._replace(player=following(plan, self.ground))
        try:
            while isinstance(now := self.game.advance(course), Decision):
                self.game.apply(course, now, answer(self.game, course, now, seats))
                self.played += 1
        except (BrokenRules, Unanswered):
            return 0.0
        finally:
            self.played += 1
        levels = {side: self.game.judge(course, side) if self.game.graph.outcome else 0 for side in self.sides}
        return margin(self.side, levels, course.state, course.state.hex)


def sides_of(game: Game, state: State) -> tuple[str, ...]:
    """List who plays."""
    card = game.graph.scenario
    return card.order if card else tuple(sorted({side for side in state.side if side}))


def margin(side: str, levels: Mapping[str, Value], state: State, hexes: Sequence[int]) -> float:
    """Say how far a side is ahead of the best of the others: in level, and in what is left of its forces.

    `hexes` says where each piece stands, those that play has made behind those of the state.
    """
    worth = {}
    for each, level in levels.items():
        own = [piece for piece, sheet in enumerate(state.sheets) if sheet.side == each and sheet.force >= 0]
        left = sum(hexes[piece] != GONE for piece in own) / max(1, len(own))
        worth[each] = LEVEL * float(level) + ARMY * left
    return worth.pop(side) - max(worth.values(), default=0.0)


def promising(games: int, ahead: float) -> bool:
    """Say whether a plan deserves another game against the one before."""
    return ahead > 0 or (ahead >= HOPELESS and games < LEAST)


def settled(games: int, ahead: float) -> bool:
    """Say whether enough was played to replace the plan before."""
    return games >= ENOUGH or (games >= LEAST and ahead >= CLEAR)


def share(game: Game, turn: int) -> float:
    """Say how much of the mean budget of a phase is for one of this turn: as much as there is still to play."""
    card = game.graph.scenario
    if not card:
        return 1.0
    return 2 * max(1, card.turns - turn + 1) / (card.turns + 1)


def offered(game: Game) -> list[str]:
    """List the actions that are ever offered."""
    steps = (step for program in game.programs.of.values() for step in program.code)
    return sorted({name for step in steps if isinstance(step, graph.Offer) for name, _ in step.actions})
