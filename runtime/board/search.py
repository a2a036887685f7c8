"""The cheapest ways over a map, hex by hex (Dijkstra, A note on two problems in connexion with graphs, 1959).

In: a map, where one begins, and two functions that say of a step from a hex to a neighbor whether it is open and what
it costs. Out: the cost of the cheapest way to every hex that is reached, and the hex before it on that way. Of ways
that cost the same the one that comes first in the order of hexes is kept, so that the result depends on nothing else.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple, TypeVar

from runtime.board.board import Board

Amount = int | Fraction
Gate = Callable[[int, int], bool]
Price = Callable[[int, int], Amount]


T = TypeVar("T")


class SearchNode(NamedTuple):
    """A hex that a way leads to: what the way costs, and the hex before it, or None where it begins."""

    cost: Amount
    before: int | None


Found = Mapping[int, SearchNode]


def searched(
    board: Board,
    start: Iterable[int],
    gate: Gate | None,
    price: Price | None,
    most: Amount | None,
    goal: Collection[int] = (),
) -> dict[int, SearchNode]:
    """Find the cheapest way to every hex that costs at most `most`; a step without a price costs 1.

    Where there is a goal, ways that cost more than the cheapest to a hex of it are left out: nothing else is asked.
    A price below zero counts as nothing, so that a search ends. Where somebody stands off the map no way begins.
    """
    if price is None:
        return _by_steps(board, start, gate, most, goal)
    found: dict[int, SearchNode] = {}
    nearest_cost: Amount | None = None
    todo: list[tuple[Amount, int, int]] = [(0, h, -1) for h in sorted(start) if h >= 0]
    while todo:
        cost, here, before = heappop(todo)
        if here in found:
            continue
        if nearest_cost is not None and cost > nearest_cost:
            break
        found[here] = SearchNode(cost, before if before >= 0 else None)
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
    board: Board, start: Iterable[int], gate: Gate | None, most: Amount | None, goal: Collection[int]
) -> dict[int, SearchNode]:
    """Search in breadth, where each step costs 1: the gate is asked of no hex that is reached already."""
    found: dict[int, SearchNode] = {}
    level: dict[int, int | None] = dict.fromkeys(h for h in start if h >= 0)
    cost = 0
    while level and (most is None or cost <= most):
        further: dict[int, int | None] = {}
        found |= {here: SearchNode(cost, before) for here, before in level.items()}
        if goal and not found.keys().isdisjoint(goal):
            break
        for here in sorted(level):
            for there in board.around[here]:
                if there not in found and there not in further and (gate is None or gate(here, there)):
                    further[there] = here
        level, cost = further, cost + 1
    return found


def least_blocked_route(
    board: Board, start: Iterable[int], goal: Collection[int], is_open: Gate, price: Price, most: Amount
) -> tuple[int, ...]:
    """List the hexes of the way with the fewest shut steps among those that cost at most `most`; () if there is none.

    Shut steps have their price, too. Of ways with as many shut steps the cheapest is taken.
    """
    least: dict[int, Amount] = {}  # of the ways that came to a hex so far, all with as many shut steps or fewer
    before: list[tuple[int, int]] = []  # hex, and the entry of the hex before it
    todo: list[tuple[int, Amount, int, int]] = [(0, 0, h, -1) for h in sorted(start) if h >= 0]
    while todo:
        shut, cost, here, last = heappop(todo)
        if here in least and least[here] <= cost:
            continue
        least[here] = cost
        before.append((here, last))
        if here in goal:
            way, at = list[int](), len(before) - 1
            while at >= 0:
                hex_, at = before[at]
                way.append(hex_)
            return tuple(reversed(way))
        at = len(before) - 1
        for there in board.around[here]:
            total = cost + max(0, price(here, there))
            if total <= most:
                heappush(todo, (shut + (not is_open(here, there)), total, there, at))
    return ()


def linked_by(board: Board, start: Iterable[int], ground: Iterable[int], gate: Gate | None) -> dict[int, SearchNode]:
    """Find the hexes of some ground that ways lead to from those of `start` in it, never leaving it."""
    inside = frozenset(ground)
    return searched(
        board, inside.intersection(start), lambda a, b: b in inside and (gate is None or gate(a, b)), None, None
    )


def reachable(found: Found) -> tuple[int, ...]:
    """List the hexes that a search has found a way to, in canonical order."""
    return tuple(sorted(found))


def cheapest_cost(found: Found, goal: Iterable[int], otherwise: Callable[[], T]) -> Amount | T:
    """Return what the cheapest way to a hex of the goal costs, or what is otherwise where none leads there."""
    end = nearest(found, goal)
    return otherwise() if end is None else found[end].cost


def cheapest_way(found: Found, goal: Iterable[int]) -> tuple[int, ...]:
    """List the hexes of the cheapest way to a hex of the goal, from where it begins; () if none leads there."""
    here = nearest(found, goal)
    way: list[int] = []
    while here is not None:
        way.append(here)
        here = found[here].before
    return tuple(reversed(way))


def nearest(found: Found, goal: Iterable[int]) -> int | None:
    """Name the hex of the goal that costs least to come to, None if no way leads to any."""
    reached = [h for h in goal if h in found]
    return min(reached, key=lambda h: (found[h].cost, h)) if reached else None
