"""A player that tries out what the greedy one would rather do, and what it would not.

At a decision it takes the greedy player's option and its nearest rivals, and plays the game on from each:
greedy players on all sides, with dice of its own, to the end or as many rounds as the budget allows. Then it
looks how the sides stand, by the outcome of the rules and by what each has left. All rivals face
the same dice, so that what differs comes from the choice; a rival replaces the greedy option only where
it did better by more than the scatter of the differences. (Policy improvement by rollouts: Tesauro and
Galperin, "On-line policy improvement using Monte-Carlo search", 1996. Rivals that fall behind are
dropped as in sequential halving: Karnin, Koren and Somekh, 2013.)

The budget is counted in decisions played out, not in time: same seed, same game, on any machine. Secrets of
the others are not in the course it is handed, and its dice are not those of the game.
"""

from collections.abc import Sequence
from math import copysign, inf, sqrt

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.play.broken import BrokenRules
from runtime.play.choices import END, Decision
from runtime.play.course import Course
from runtime.play.dice import Stream
from runtime.play.game import Finished, Game
from runtime.players.greedy import greedy, weighed
from runtime.players.player import Player, Seat, Seats, answer
from runtime.state.position import GONE
from runtime.state.record import Value

BUDGET = 4_000  # decisions played out for one choice
WIDE = 3  # options tried
SAME = 2  # playouts after which options that all came to the same are taken to be the same
LEAST = 3  # playouts before a rival is dropped
ENOUGH = 5  # playouts before a rival may replace the greedy option
# Standard errors. Of many choices a few look better by accident: with a lead of 1, and shorter playouts, a whole game
# on a budget of 600 came out worse than the greedy player's (-0.24 levels, -0.41 to -0.07, on 25 pairs of games).
BEHIND, AHEAD = -1.0, 2.0
SEEDS = 1 << 40

# A level of victory against the whole of an army: what is lost tells earlier who will win.
LEVEL, ARMY = 1.0, 2.0
# Of a game played to its end the outcome counts, and hardly what is left.
FINAL_LEVEL, FINAL_ARMY = 2.0, 0.25


def looking_ahead(budget: int = BUDGET) -> Player:
    """Make such a player."""

    def lookahead(game: Game, course: Course, decision: Decision, chance: Stream) -> int:
        pick = greedy(game, course, decision, chance)
        tried = rivals(game, course, decision, pick)
        if len(tried) < 2:
            return pick
        return _Trial(game, course, decision, f"{chance.draw(SEEDS)}", budget).best(tried)

    return lookahead


def rivals(game: Game, course: Course, decision: Decision, pick: int) -> list[int]:
    """List the greedy option, then the others worth most, the end of an offer always among them.

    Members that are preferred alike are as good as each other; how a set grows is left to the greedy player.
    """
    call = course.calls[-1]
    step = game.programs.of[call.key].code[call.at]
    if isinstance(step, graph.Choose) and (step.how or step.preferring is None):
        return [pick]
    worths = weighed(game, course, decision)
    order = sorted(range(len(worths)), key=lambda index: (index != pick, -(worths[index] or 0), index))
    found: dict[Value, int] = {}
    for index in order:
        option = decision.options[index]
        found.setdefault(worths[index] if isinstance(step, graph.Choose) else option[:2], index)
    kept = list(found.values())[:WIDE]
    ends = [index for index in found.values() if decision.options[index].what == END]
    return [*kept[: WIDE - 1], *ends] if ends and ends[0] not in kept else kept


class _Trial:
    """Tries options out."""

    def __init__(self, game: Game, course: Course, decision: Decision, seed: str, budget: int) -> None:
        self.game = game
        self.decision = decision
        self.seed = seed
        self.left = budget
        # As long as lets every option be played out often enough not to be dropped by accident: how a game ends
        # says more than how it stands somewhere on the way.
        self.longest = max(1, budget // (WIDE * LEAST))
        self.rounds = 0
        self.root = course.copy()
        # What has happened is of no use to those who play on; only the number of the choice is.
        self.root.journal, self.root.marks, self.root.settled = [], course.marks[-1:], -1

    def best(self, tried: Sequence[int]) -> int:
        """Play the options out until one is left, or the budget is used up."""
        values: dict[int, list[float]] = {index: [] for index in tried}
        alive = list(tried)
        pick = tried[0]
        while self.left > 0 and len(alive) > 1:
            number = len(values[pick])
            for index in alive:
                values[index].append(self.value(index, number))
            if number + 1 >= SAME and all(values[index] == values[pick] for index in alive):
                return pick
            if number + 1 >= LEAST:
                alive = [index for index in alive if index == pick or lead(values[index], values[pick]) > BEHIND]
        if len(values[pick]) < ENOUGH:
            return pick
        ahead = [index for index in alive if index != pick and lead(values[index], values[pick]) > AHEAD]
        return max(ahead, key=lambda index: sum(values[index]), default=pick)

    def value(self, index: int, number: int) -> float:
        """Play on from an option with the dice of this number, and say how the side that chooses stands."""
        course = self.root.copy()
        course.seed = f"{self.seed}.{number}"
        try:
            self.game.apply(course, self.decision, index)
            ended = self.play_on(course, {side: Seat(greedy, Stream(course.seed, side)) for side in self.sides()})
            return self.standing(course, ended)
        except (BrokenRules, Unanswered):
            return 0.0

    def play_on(self, course: Course, seats: Seats) -> bool:
        """Play on to the end, which is told, or for some rounds; the first playout of all finds how many."""
        turn, player = self.root.state.turn, self.root.state.player
        played, full = 1, 0
        while isinstance(now := self.game.advance(course), Decision):
            passed = course.state.turn - turn - (course.state.player != player)
            if passed > full:
                full = passed
                if full == self.rounds or (not self.rounds and played >= self.longest):
                    break
            self.game.apply(course, now, answer(self.game, course, now, seats))
            played += 1
        self.left -= played
        self.rounds = self.rounds or max(1, full)
        return isinstance(now, Finished)

    def sides(self) -> tuple[str, ...]:
        """List who plays."""
        card = self.game.graph.scenario
        return card.order if card else tuple(sorted({side for side in self.root.state.side if side}))

    def standing(self, course: Course, ended: bool) -> float:  # noqa: FBT001 -- a fact
        """Say how much better the side that chooses stands than the best of the others."""
        own = self.decision.side
        worth = {side: self.worth(course, side, ended) for side in self.sides()}
        return worth[own] - max((each for side, each in worth.items() if side != own), default=0.0)

    def worth(self, course: Course, side: str, ended: bool) -> float:  # noqa: FBT001 -- a fact
        """Add up the level a side has reached and the share of its pieces that it has left."""
        level = self.game.judge(course, side) if self.game.graph.outcome else 0
        state = course.state
        own = [piece for piece, owner in enumerate(state.side) if owner == side]
        left = sum(state.hex[piece] != GONE for piece in own) / max(1, len(own))
        return FINAL_LEVEL * float(level) + FINAL_ARMY * left if ended else LEVEL * float(level) + ARMY * left


def lead(values: Sequence[float], others: Sequence[float]) -> float:
    """Say by how many standard errors values are ahead of others with the same dice."""
    gaps = [mine - other for mine, other in zip(values, others, strict=False)]
    mean = sum(gaps) / len(gaps)
    error = sqrt(sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1) / len(gaps))
    return mean / error if error else copysign(inf, mean) if mean else 0.0
