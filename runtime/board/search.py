"""Shortest paths over a map (Dijkstra, A note on two problems in connexion with graphs, 1959).

In: a map, start hexes, and two functions of a step from a hex to a neighbor: whether it is open, and its cost. Out: the
cost of the cheapest path to every hex that is reached, and the predecessor of the hex on it. Of paths of equal cost the
first in the order of hexes is taken, so that the result is deterministic.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple, TypeVar

from runtime.board.board import Board

Amount = int | Fraction
CrossingPredicate = Callable[[int, int], bool]
PriceFunction = Callable[[int, int], Amount]


T = TypeVar("T")


class PathNode(NamedTuple):
    """A reached hex: the cost of its path, and its predecessor; None for a start hex."""

    cost: Amount
    before: int | None


PathNodes = Mapping[int, PathNode]


def searched(
    board: Board,
    start: Iterable[int],
    gate: CrossingPredicate | None,
    price: PriceFunction | None,
    most: Amount | None,
    goal: Collection[int] = (),
) -> dict[int, PathNode]:
    """Return the cheapest path to every hex at a cost of at most `most`; without a price function each step costs 1.

    With a goal, paths that cost more than the cheapest one to a goal hex are left out. A negative price counts as 0, so
    that the search terminates. A start off the map has no paths.
    """
    if price is None:
        return _by_steps(board, start, gate, most, goal)
    found: dict[int, PathNode] = {}
    nearest_cost: Amount | None = None
    todo: list[tuple[Amount, int, int]] = [(0, h, -1) for h in sorted(start) if h >= 0]
    while todo:
        cost, here, before = heappop(todo)
        if here in found:
            continue
        if nearest_cost is not None and cost > nearest_cost:
            break
        found[here] = PathNode(cost, before if before >= 0 else None)
        if here in goal and nearest_cost is None:
            nearest_cost = cost
        for there in board.around[here]:
            if there in found or (gate is not None and not gate(here, there)):
                continue
            total = cost + max(0, price(here, there))
            if most is None or total <= most:
                heappush(todo, (total, there, here))
    return found


def _by_steps(
    board: Board, start: Iterable[int], gate: CrossingPredicate | None, most: Amount | None, goal: Collection[int]
) -> dict[int, PathNode]:
    """Breadth-first search, where each step costs 1; the gate is not evaluated for hexes already reached."""
    found: dict[int, PathNode] = {}
    level: dict[int, int | None] = dict.fromkeys(h for h in start if h >= 0)
    cost = 0
    while level and (most is None or cost <= most):
        further: dict[int, int | None] = {}
        found |= {here: PathNode(cost, before) for here, before in level.items()}
        if goal and not found.keys().isdisjoint(goal):
            break
        for here in sorted(level):
            for there in board.around[here]:
                if there not in found and there not in further and (gate is None or gate(here, there)):
                    further[there] = here
        level, cost = further, cost + 1
    return found


def least_blocked_route(
    board: Board,
    start: Iterable[int],
    goal: Collection[int],
    is_open: CrossingPredicate,
    price: PriceFunction,
    most: Amount,
) -> tuple[int, ...]:
    """Return the path with the fewest closed steps among those that cost at most `most`; () if there is none.

    Closed steps have their price as well. Of paths with equally many closed steps the cheapest is taken.
    """
    least: dict[int, Amount] = {}  # of the ways that came to a hex so far, all with as many shut steps or fewer
    before: list[tuple[int, int]] = []  # hex, and the entry of the hex before it
    todo: list[tuple[int, Amount, int, int]] = [(0, 0, h, -1) for h in sorted(start) if h >= 0]
    while todo:
        closed_count, cost, here, last = heappop(todo)
        if here in least and least[here] <= cost:
            continue
        least[here] = cost
        before.append((here, last))
        if here in goal:
            route, entry = list[int](), len(before) - 1
            while entry >= 0:
                hex_, entry = before[entry]
                route.append(hex_)
            return tuple(reversed(route))
        entry = len(before) - 1
        for there in board.around[here]:
            total = cost + max(0, price(here, there))
            if total <= most:
                heappush(todo, (closed_count + (not is_open(here, there)), total, there, entry))
    return ()


def linked_by(
    board: Board, start: Iterable[int], ground: Iterable[int], gate: CrossingPredicate | None
) -> dict[int, PathNode]:
    """Return the hexes of a set that are reachable within it from its hexes in `start`."""
    spaces = frozenset(ground)
    return searched(
        board, spaces.intersection(start), lambda a, b: b in spaces and (gate is None or gate(a, b)), None, None
    )


def reachable(found: PathNodes) -> tuple[int, ...]:
    """Return the hexes that a search reached, in canonical order."""
    return tuple(sorted(found))


def cheapest_cost(found: PathNodes, goal: Iterable[int], default: Callable[[], T]) -> Amount | T:
    """Return the cost of the cheapest path to a goal hex, or `default()` where none is reached."""
    end = nearest(found, goal)
    return default() if end is None else found[end].cost


def cheapest_way(found: PathNodes, goal: Iterable[int]) -> tuple[int, ...]:
    """Return the cheapest path to a goal hex, from its start; () if none is reached."""
    space = nearest(found, goal)
    route: list[int] = []
    while space is not None:
        route.append(space)
        space = found[space].before
    return tuple(reversed(route))


def nearest(found: PathNodes, goal: Iterable[int]) -> int | None:
    """Return the goal hex with the cheapest path; None if none is reached."""
    reached = [h for h in goal if h in found]
    return min(reached, key=lambda h: (found[h].cost, h)) if reached else None
