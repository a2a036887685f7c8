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
the others are not in the course it is handed, and its dice are not those of the game. What it has in mind hangs
on its stream of chance, which is one side's in one game; a game taken up from its record begins with no plan.
"""

from weakref import WeakKeyDictionary

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
from runtime.players.player import Player, Seat, answer
from runtime.state.position import GONE

BUDGET = 4_000  # decisions played out in a phase, on the average of a game
SEEDS = 1 << 40
# Games after which a plan that is not ahead is dropped, and those after which one that is replaces the plan before:
# fewer, if it is so far ahead in all of them together. HOPELESS: so far behind in one that another is not worth while.
LEAST, ENOUGH = 2, 8
CLEAR, HOPELESS = 3.0, -1.0
# Plans in a row that change nothing at all, after which there is nothing left to be decided.
IDLE = 25
AFRESH = 4  # One plan in so many is made from none, not from the best so far.
# A level of victory, and the whole of an army: what is left tells plans of the same level apart.
LEVEL, ARMY = 1.0, 0.5


class _Mind:
    """What a player has in mind in one game."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.stretch = ""
        self.plan = NO_PLAN
        self.follow: Player = greedy


def looking_ahead(budget: int = BUDGET) -> Player:
    """Make such a player."""
    minds: WeakKeyDictionary[Stream, _Mind] = WeakKeyDictionary()

    def lookahead(game: Game, course: Course, decision: Decision, chance: Stream) -> int:
        mind = minds.get(chance)
        if mind is None:
            mind = minds[chance] = _Mind(Ground(game, course.state.board))
        now = course.stretch()
        if now != mind.stretch and (course.state.player == decision.side or not mind.stretch):
            rehearsal = Rehearsal(mind.ground, course, decision.side, f"{chance.draw(SEEDS)}")
            mind.stretch, mind.plan = now, rehearsal.best(mind.plan, int(budget * share(game, course)))
            mind.follow = following(mind.plan, mind.ground)
        return mind.follow(game, course, decision, chance)

    return lookahead


class Rehearsal:
    """Plays a game on under plans of one side."""

    def __init__(self, ground: Ground, course: Course, side: str, seed: str) -> None:
        """Stand where the course stands."""
        self.game = ground.game
        self.side = side
        self.seed = seed
        self.ground = ground
        self.played = 0
        self.root = course.copy()
        # What has happened is of no use to those who play on; only the number of the choice is.
        self.root.journal, self.root.marks, self.root.settled = [], course.marks[-1:], -1
        card = self.game.graph.scenario
        self.sides = card.order if card else tuple(sorted({side for side in course.state.side if side}))

    def best(self, plan: Plan, budget: int) -> Plan:
        """Look for a better plan until the budget is used up, or nothing makes a difference any more."""
        chance = Stream(self.seed, "ideas")
        ideas = Ideas(self.root, self.side, offered(self.game), chance)
        values: list[float] = []
        rivals = [NO_PLAN] if plan.orders or plan.shunned else []
        idle = 0
        while self.played < budget and idle < IDLE:
            rival = rivals.pop() if rivals else ideas.after(plan if chance.draw(AFRESH) else NO_PLAN)
            if rival == plan:
                idle += 1
                continue
            theirs: list[float] = []
            ahead = 0.0
            while self.played < budget and promising(len(theirs), ahead) and not settled(len(theirs), ahead):
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
        """Play on with the dice of this number, and say how the side comes out."""
        course = self.root.copy()
        course.seed = f"{self.seed}.{number}"
        seats = {side: Seat(greedy, Stream(course.seed, side)) for side in self.sides}
        seats[self.side] = seats[self.side]._replace(player=following(plan, self.ground))
        try:
            while isinstance(now := self.game.advance(course), Decision):
                self.game.apply(course, now, answer(self.game, course, now, seats))
                self.played += 1
        except (BrokenRules, Unanswered):
            return 0.0
        finally:
            self.played += 1
        worth = {side: self.worth(course, side) for side in self.sides}
        return worth.pop(self.side) - max(worth.values(), default=0.0)

    def worth(self, course: Course, side: str) -> float:
        """Add up the level a side has reached and the share of its forces that it has left."""
        level = self.game.judge(course, side) if self.game.graph.outcome else 0
        state = course.state
        own = [piece for piece, sheet in enumerate(state.sheets) if sheet.side == side and sheet.force >= 0]
        left = sum(state.hex[piece] != GONE for piece in own) / max(1, len(own))
        return LEVEL * float(level) + ARMY * left


def promising(games: int, ahead: float) -> bool:
    """Say whether a plan deserves another game against the one before."""
    return ahead > 0 or (ahead >= HOPELESS and games < LEAST)


def settled(games: int, ahead: float) -> bool:
    """Say whether enough was played to replace the plan before."""
    return games >= ENOUGH or (games >= LEAST and ahead >= CLEAR)


def share(game: Game, course: Course) -> float:
    """Say how much of the mean budget of a phase is for this one: as much as there is still to play."""
    card = game.graph.scenario
    if not card:
        return 1.0
    return 2 * max(1, card.turns - course.state.turn + 1) / (card.turns + 1)


def offered(game: Game) -> list[str]:
    """List the actions that are ever offered."""
    steps = (step for program in game.programs.of.values() for step in program.code)
    return sorted({name for step in steps if isinstance(step, graph.Offer) for name, _ in step.actions})
