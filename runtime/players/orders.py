"""Orders to pieces, and how a greedy player carries them out.

An order sends a piece to the nearest of some hexes, which may be the one it stands in; a quiet one also keeps it
out of everything else until it is there. Who has no order does what the rules prefer. So a plan is a way of playing
on, not a list of moves: it holds whatever the dice and the others do. (Scripts for units rather than single moves:
Churchill and Buro, "Portfolio greedy search and simulation for large-scale combat in StarCraft", 2013.)
"""

from collections.abc import Mapping
from typing import NamedTuple

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.play.choices import Decision
from runtime.play.course import Course, Names
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.players.greedy import choose
from runtime.players.marches import marches
from runtime.players.player import Player
from runtime.players.taste import WRITTEN, Worth
from runtime.state.record import Value

Goal = tuple[int, ...]

# A hex nearer against what the rules prefer of hexes, which is to settle what is equally near.
NEARER, RULES = 4, 0.1
FAR = 100  # How far from everything a piece is that is not on the map.
THERE = 1  # Where there is no room in the hex itself, the next one is near enough.
NOT_YET = -1  # What it is worth to take a quiet piece.


class Order(NamedTuple):
    """Go to the nearest of these hexes; `quiet`: and do nothing else on the way."""

    goal: Goal
    quiet: bool


class Plan(NamedTuple):
    """Orders by piece, and actions that are never begun."""

    orders: Mapping[int, Order]
    shunned: frozenset[str]


NO_PLAN = Plan({}, frozenset())


class Ground:
    """What all plans for a game share: which choices are marches, and how far each hex is from a goal."""

    def __init__(self, game: Game, board: Board) -> None:
        """Read the rules; distances are worked out when they are asked for."""
        self.game = game.unheard()
        self.marches = marches(game.programs.of)
        self.board = board
        self.far: dict[Goal, tuple[int, ...]] = {}

    def left(self, goal: Goal, here: int) -> int:
        """Say how far it still is."""
        if here < 0:
            return FAR
        row = self.far.get(goal)
        if row is None:
            distance = self.board.distance
            row = self.far[goal] = tuple(min(distance(h, end) for end in goal) for h in range(self.board.size))
        return row[here]


class Ordered:
    """The taste of a player who has given orders."""

    def __init__(self, plan: Plan, ground: Ground) -> None:
        """Keep what the orders are about."""
        self.orders = plan.orders
        self.shunned = plan.shunned
        self.ground = ground

    def speaks(self, key: str, step: graph.Choose) -> bool:
        """Say whether rules or orders may have a preference."""
        march = self.ground.marches[key]
        return step.preferring is not None or step.name in march.mover or step.name in march.pieces

    def worth(self, game: Game, course: Course, key: str, step: graph.Choose, names: Names) -> Worth:
        """Prefer what an order asks for; what the rules prefer where there is none."""
        march = self.ground.marches[key]
        written = WRITTEN.worth(game, course, key, step, names)
        if step.name in march.mover:
            mover = names[march.mover[step.name]]
            order = self.orders.get(mover)
            if order is None:
                return written
            nearer = self.ground.left(order.goal, course.state.hex[mover]) - self.ground.left(
                order.goal, names[step.name]
            )
            return NEARER * nearer + RULES * float(written or 0)
        if step.name not in march.pieces:
            return written
        piece = names[step.name]
        order = self.orders.get(piece)
        here = course.state.hex[piece]
        if order is None or here < 0:
            return written
        if step.name in march.at_once:
            return None if march.at_once[step.name] else NEARER * self.ground.left(order.goal, here)
        return NOT_YET if self.spares(course, piece) else written

    def shuns(self, action: str) -> bool:
        """Look among the actions that are not to be begun."""
        return action in self.shunned

    def spares(self, course: Course, member: Value) -> bool:
        """Keep the quiet ones out until they are there."""
        order = self.orders.get(member)
        if order is None or not order.quiet or course.state.hex[member] < 0:
            return False
        return self.ground.left(order.goal, course.state.hex[member]) > THERE


def following(plan: Plan, ground: Ground) -> Player:
    """Make a player that carries a plan out."""
    taste = Ordered(plan, ground)

    def follow(game: Game, course: Course, decision: Decision, chance: Stream) -> int:
        return choose(game, course, decision, chance, taste)

    return follow
