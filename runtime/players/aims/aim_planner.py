"""Plans from aims: which piece goes where, so that a side has on the map what it needs.

In: the targets of a side (aim_targets.py), and the hexes of all pieces. Out: a `Plan` (orders.py) until the next phase.
Pieces are matched with hexes one by one, the nearest for its worth first, until a target has as many as it needs, so
that one piece supplies one target. Twice as many others support the first target, the nearest ones, all of them where
it is the others' hexes that are to be held: with all of them attackers who need supply lines lost these. The rest
follows the preferences of the rules, or goes to the nearest piece of another side where losses count.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of
from runtime.play.game import Game
from runtime.players.aims.aim_targets import AimKind, AimTarget, aims_of
from runtime.players.aims.piece_distances import UNREACHABLE
from runtime.players.aims.position_probe import PieceGroup, group_of_piece
from runtime.players.orders import ACTION, NO_PLAN, Goal, MoveOrder, Plan
from runtime.state import change
from runtime.state.position import State

# Pieces that support each one that supplies. (With 1 or 2 players won more often on two of nine cards each.)
SUPPORTERS = 2
# Steps that are added to each distance before it is divided by the worth of a hex: with less, pieces stayed in poor
# hexes near by; with more, nothing was gained.
EQUAL_STEPS = 4


class _AimCandidate(NamedTuple):
    """A piece that may go to a goal: the less `cost`, the better. `distances` are those of all hexes from it."""

    cost: float
    piece: int
    goal: Goal
    distances: tuple[int, ...]


KnownCandidates = dict[tuple[Goal, int, int], _AimCandidate]


class AimPlanner:
    """The plans of one side."""

    def __init__(self, game: Game, opening: State, side: str) -> None:
        """Derive the aims of the side; `opening` has the pieces of the game, which may not be those of the card."""
        self.side = side
        self.group_of: dict[int, PieceGroup] = {}
        self.aims = aims_of(game)
        self.targets = self.aims.targets.get(side, ())
        # What the outcome asks for is taken even if the rules have no preference for it.
        self.explored = frozenset(
            action.removeprefix(ACTION)
            for target in self.targets
            for action in target.actions
            if self._is_unpreferred(game.graph.procedures[action])
        )
        # What is known of each target: the candidates by goal, piece and the hex of the piece.
        self.known: list[KnownCandidates] = [{} for _ in self.targets]
        # The last plan, and where the pieces stood.
        self.planned_hexes: tuple[int, ...] = ()
        self.planned = NO_PLAN
        if not self.targets:
            return
        for piece in range(len(opening.sheets)):
            piece_group = group_of_piece(opening, piece)
            if piece_group in self.aims.probe.pieces:
                self.group_of[piece] = piece_group

    @staticmethod
    def _is_unpreferred(action: graph.Procedure) -> bool:
        """Return whether the rules neither prefer anything in an action nor say that nobody should take it."""
        choices = nodes_of(graph.Choose, action.body)
        return not action.no_preference and all(choice.preferring is None for choice in choices)

    @property
    def needs_position(self) -> bool:
        """Return whether a plan depends on more than where pieces stand."""
        return any(target.actions for target in self.targets)

    def plan(self, hexes: Sequence[int], position: State | None = None) -> Plan:
        """Return the plan in a position; `hexes` is where each piece stands. The position is needed for statuses."""
        if self.needs_position:
            return self._new_plan(hexes, position)
        # A phase often begins where the one before has left all pieces.
        if tuple(hexes) != self.planned_hexes:
            self.planned_hexes, self.planned = tuple(hexes), self._new_plan(hexes, position)
        return self.planned

    def _new_plan(self, hexes: Sequence[int], position: State | None) -> Plan:
        """Return the plan in a position."""
        on_map = [piece for piece in self.group_of if hexes[piece] >= 0]
        own_pieces = [piece for piece in on_map if self.group_of[piece].side == self.side]
        if not own_pieces or not self.targets:
            return NO_PLAN
        orders: dict[int, MoveOrder] = {}
        targets = self.targets if position is None else [self._in_position(target, position) for target in self.targets]
        for number, target in enumerate(targets):
            if target.kind is AimKind.HUNT:
                break
            goals = _each_alone(target.worth) if target.is_single else _together(target.worth)
            candidates = self._candidates(own_pieces, hexes, goals, number, position)
            self._give_orders(orders, candidates, target.needed, is_single=target.is_single)
        first, last = targets[0], targets[-1]
        if first.worth and first.status is None:
            others = [piece for piece in own_pieces if hexes[piece] not in first.worth]
            most = len(others) if first.kind is AimKind.DENY else SUPPORTERS * len(orders)
            self._give_orders(orders, self._candidates(others, hexes, _together(first.worth), 0), most)
        if last.kind is AimKind.HUNT:
            self._hunt(orders, own_pieces, {hexes[piece] for piece in on_map if self._is_foe(piece)}, hexes)
        return Plan(orders, frozenset(), self.explored)

    def _is_foe(self, piece: int) -> bool:
        """Return whether a piece belongs to another side."""
        return self.group_of[piece].side not in {"", self.side}

    def _hunt(
        self, orders: dict[int, MoveOrder], pieces: Sequence[int], foes: Iterable[int], hexes: Sequence[int]
    ) -> None:
        """Order pieces that have no order to the nearest hexes of foes, or beside those that they cannot enter."""
        board, number = self.aims.probe.state.board, len(self.targets) - 1
        alone = _each_alone(foes)
        beside = [tuple(at for at in board.neighbors[foe] if at >= 0) for (foe,) in alone]
        for goals in (alone, beside):
            self._give_orders(orders, self._candidates(pieces, hexes, goals, number), len(pieces))

    def _in_position(self, target: AimTarget, position: State) -> AimTarget:
        """Return a target with what it still needs, and without the hexes where no action marks a piece any more."""
        if target.actions and target.status is None:
            return target._replace(needed=self._still_needed(target, position))
        if target.status is None or target.status.is_marked:
            return target
        unmarked = [
            piece
            for piece, group in self.group_of.items()
            if group in target.classes and position.hex[piece] >= 0 and not _lacks_status(target, piece, position)
        ]
        if not unmarked:
            return target._replace(worth={})
        # One piece stands for all: the hex that is used up decides, not the piece.
        trial, piece = position.copy(), unmarked[0]
        open_at = {}
        for at, worth in target.worth.items():
            moved = change.move(trial, piece, at)
            if any(self.aims.probe.can_act(trial, action, piece, self.side) for action in target.actions):
                open_at[at] = worth
            change.undo(trial, moved)
        return target._replace(worth=open_at)

    def _still_needed(self, target: AimTarget, position: State) -> int:
        """Return how many pieces have to take an action yet: those that have taken it may have left the map."""
        values = [(wanted, self.aims.probe.value(wanted.amount, position)) for wanted in target.amounts]
        needed = (wanted.pieces_needed(value) for wanted, value in values if value is not None)
        return max(needed, default=target.needed)

    def _candidates(
        self,
        pieces: Sequence[int],
        hexes: Sequence[int],
        goals: Sequence[Goal],
        number: int,
        position: State | None = None,
    ) -> list[_AimCandidate]:
        """Return how each of some pieces may go to each goal of the target with this number, the best first."""
        target, known = self.targets[number], self.known[number]
        found = []
        for piece in pieces:
            if (target.classes and self.group_of[piece] not in target.classes) or _lacks_status(
                target, piece, position
            ):
                continue
            at = hexes[piece]
            for goal in goals:
                key = goal, piece, at
                candidate = known.get(key)
                if candidate is None:
                    candidate = known[key] = self._candidate(piece, at, goal, target)
                if candidate.cost < math.inf:
                    found.append(candidate)
        return sorted(found)

    def _candidate(self, piece: int, at: int, goal: Goal, target: AimTarget) -> _AimCandidate:
        """Return how a piece may go from a hex to a goal; the cost is infinite if there is no way."""
        row = self.aims.distances.row(self.group_of[piece], goal)
        worth = target.worth[goal[0]] if len(goal) == 1 and target.worth else 1.0
        cost = (row[at] + EQUAL_STEPS) / worth if row[at] < UNREACHABLE else math.inf
        return _AimCandidate(cost, piece, goal, row)

    def _give_orders(
        self, orders: dict[int, MoveOrder], candidates: Iterable[_AimCandidate], most: int, *, is_single: bool = False
    ) -> None:
        """Order up to `most` pieces that have no order yet to their goals, one to each goal if `is_single`."""
        end = len(orders) + most
        supplied: set[Goal] = set()
        for candidate in candidates:
            if len(orders) == end:
                return
            if candidate.piece not in orders and not (is_single and candidate.goal in supplied):
                supplied.add(candidate.goal)
                orders[candidate.piece] = MoveOrder(candidate.distances, quiet=False)


def _lacks_status(target: AimTarget, piece: int, position: State | None) -> bool:
    """Return whether a piece is not marked as a target requires."""
    if target.status is None or position is None:
        return False
    return (piece in position.marks[target.status.key]) != target.status.is_marked


def _each_alone(hexes: Iterable[int]) -> list[Goal]:
    """Return each hex as a goal of its own."""
    return [(at,) for at in sorted(hexes)]


def _together(hexes: Iterable[int]) -> list[Goal]:
    """Return one goal: the nearest of some hexes."""
    return [tuple(sorted(hexes))]
