"""Orders to pieces, and their execution by a greedy player.

An order moves a piece to the nearest of some hexes, which may be its own; a quiet order also excludes it from all other
actions until it is there. Pieces without an order follow the rules' preferences. So a plan is a policy, not a list of
moves: it applies whatever the dice and the other sides do. (Scripts for units rather than single moves: Churchill and
Buro, "Portfolio greedy search and simulation for large-scale combat in StarCraft", 2013.)
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.movement import Movement, movement_of_choices, moves_by_procedure
from runtime.graph.steps import offered_actions
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Names, Playthrough
from runtime.play.programs import Program
from runtime.players.greedy import preferred_option
from runtime.players.player import Player
from runtime.players.preferences import WRITTEN, PreferenceValue
from runtime.state.record import Value

Goal = tuple[int, ...]

# The weight of a distance against the rules' preference, which breaks ties of distance.
NEARER, RULES = 4, Fraction(1, 10)
FAR = 100  # How far from everything a piece is that is not on the map.
THERE = 1  # Where there is no room in the hex itself, the next one is near enough.
ACTION = "action:"  # What keys of actions begin with.
NOT_YET = -1  # What it is worth to take a quiet piece.


class MoveOrder(NamedTuple):
    """An order to move where `distances`, one for each hex, is 0; `quiet`: and to do nothing else before."""

    distances: tuple[int, ...]
    quiet: bool

    def steps_left(self, space: int) -> int:
        """Return the distance of a hex from where the piece goes."""
        return FAR if space < 0 else self.distances[space]


class Plan(NamedTuple):
    """A plan: orders by piece, avoided actions, and actions that are explored where no preferred one is open.

    Changes of a plan are a plan, too; None then withdraws the order of a piece.
    """

    orders: Mapping[int, MoveOrder | None]
    avoided: frozenset[str]
    explored: frozenset[str] = frozenset()

    def with_explored(self, actions: frozenset[str]) -> "Plan":
        """Return the plan that explores these actions as well, except avoided ones."""
        return self._replace(explored=self.explored | (actions - self.avoided))

    def changed_by(self, changes: "Plan") -> "Plan":
        """Return the plan with changes."""
        if not any(changes):
            return self
        explored = (self.explored | changes.explored) - changes.avoided
        return Plan({**self.orders, **changes.orders}, self.avoided | changes.avoided, explored)


NO_PLAN = Plan({}, frozenset())


def movements_of(programs: Mapping[str, Program]) -> dict[str, Movement]:
    """Return for each procedure which of its choices move a piece."""
    moved = moves_by_procedure({key: program.procedure for key, program in programs.items()})
    return {
        key: movement_of_choices(
            tuple(parameter.name for parameter in program.procedure.parameters),
            {
                step.name: isinstance(kind, graph.Piece)
                for step, kind in zip(program.steps, program.members, strict=True)
                if isinstance(step, graph.Choose) and not step.how
            },
            moved[key],
        )
        for key, program in programs.items()
    }


class PlanContext:
    """The data that all plans of a game share: the choices that move a piece, and distances from goals.

    `actions` are all offered actions; `unpreferred` are those of them without a preference and without a moving piece,
    so that neither rules nor orders select them.
    """

    def __init__(self, game: Game, board: Board) -> None:
        """Analyze the rules; distances are computed on demand."""
        self.game = game.without_listeners()
        self.movements = movements_of(game.programs.entries)
        self.actions = offered_actions(game.graph)
        self.unpreferred = frozenset(
            name for name in self.actions if not self._is_preferred(game.programs.entries, name)
        )
        self.board = board
        self.distances_by_goal: dict[Goal, tuple[int, ...]] = {}

    def _is_preferred(self, programs: Mapping[str, Program], action: str) -> bool:
        """Return whether a rule or an order may have a preference in an action."""
        key = f"{ACTION}{action}"
        found = self.movements[key]
        choices = (step for step in programs[key].steps if isinstance(step, graph.Choose))
        return any(
            step.preferring is not None or step.name in found.mover or step.name in found.at_once for step in choices
        )

    def distances(self, goal: Goal) -> tuple[int, ...]:
        """Return the distance of each hex from a goal."""
        row = self.distances_by_goal.get(goal)
        if row is None:
            distance = self.board.distance
            row = self.distances_by_goal[goal] = tuple(
                min(distance(h, end) for end in goal) for h in range(self.board.size)
            )
        return row


class _OrderPreferences:
    """The preferences of a player with orders."""

    def __init__(self, plan: Plan, ground: PlanContext) -> None:
        """Store the parts of the plan."""
        self.orders = plan.orders
        self.avoided_actions = plan.avoided
        self.explored = plan.explored
        self.ground = ground

    def has_preference(self, key: str, step: graph.Choose) -> bool:
        """Return whether rules or orders may have a preference for a choice."""
        found = self.ground.movements[key]
        return step.preferring is not None or step.name in found.mover or step.name in found.pieces

    def member_worth(
        self, game: Game, playthrough: Playthrough, key: str, step: graph.Choose, names: Names
    ) -> PreferenceValue:
        """Return the value by an order, or by the rules where there is none."""
        found = self.ground.movements[key]
        written = WRITTEN.member_worth(game, playthrough, key, step, names)
        if step.name in found.mover:
            mover = names[found.mover[step.name]]
            order = self.orders.get(mover)
            if order is None:
                return written
            nearer = order.steps_left(playthrough.state.hex[mover]) - order.steps_left(names[step.name])
            return NEARER * nearer + RULES * (written or 0)
        if step.name not in found.pieces:
            return written
        piece = names[step.name]
        order = self.orders.get(piece)
        space = playthrough.state.hex[piece]
        if order is None or space < 0:
            return written
        if step.name in found.at_once:
            if found.at_once[step.name]:
                return None
            # A piece that is there may have something to do: leave the map, take the objective.
            return NEARER * order.steps_left(space) or written
        return NOT_YET if self.spares_member(playthrough, piece) else written

    def avoids_action(self, action: str) -> bool:
        """Return whether the plan avoids an action."""
        return action in self.avoided_actions

    def explores_action(self, action: str) -> bool:
        """Return whether the plan explores an action."""
        return action in self.explored

    def distinguishing_key(self, member: Value) -> Value:
        """Return the order of a piece, by which interchangeable pieces differ."""
        return self.orders.get(member)

    def spares_member(self, playthrough: Playthrough, member: Value) -> bool:
        """Return whether a piece has a quiet order and is not at its goal yet."""
        order = self.orders.get(member)
        if order is None or not order.quiet or playthrough.state.hex[member] < 0:
            return False
        return order.steps_left(playthrough.state.hex[member]) > THERE


def plan_player(plan: Plan, ground: PlanContext) -> Player:
    """Return a player that follows a plan."""
    preferences = _OrderPreferences(plan, ground)

    def follow(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        return preferred_option(game, playthrough, decision, chance, preferences)

    return follow
