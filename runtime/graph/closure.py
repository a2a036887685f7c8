"""Transitive closure and topological order of a relation."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def transitive_closure(starts: Iterable[T], successors: Callable[[T], Iterable[T]]) -> set[T]:
    """Return these and everything that is reachable from them."""
    found: set[T] = set()
    todo = list(starts)
    while todo:
        each = todo.pop()
        if each not in found:
            found.add(each)
            todo += successors(each)
    return found


def topological_order(predecessors: Mapping[str, Iterable[str]], key: Callable[[str], str] = str) -> list[str]:
    """Sort names behind their predecessors; of those that may come next the least by `key`. Raises `CycleError`."""
    sorter = TopologicalSorter(predecessors)
    sorter.prepare()
    order: list[str] = []
    ready: list[tuple[str, str]] = []
    while sorter.is_active():
        for name in sorter.get_ready():
            heappush(ready, (key(name), name))
        order.append(heappop(ready)[1])
        sorter.done(order[-1])
    return order
