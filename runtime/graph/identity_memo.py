"""Memoize what is derived from a large node (a graph, a vocabulary, a map) under the identity of that node.

To hash or compare such a node costs as much as what is derived from it, and nodes are never changed. A memo holds its
node, so that no other one can take its place in memory while the memo serves. The latest `capacity` nodes stay.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node")
Value = TypeVar("Value")


class IdentityMemo(Generic[Node, Value]):
    """A function of one node, with the values it gave for the latest nodes."""

    def __init__(self, function: Callable[[Node], Value], capacity: int) -> None:
        """Begin with no values."""
        self.function = function
        self.capacity = capacity
        self._memos: dict[int, tuple[Node, Value]] = {}

    def __call__(self, node: Node) -> Value:
        """Return the value for a node, computed at most once while it is among the latest."""
        known = self._memos.get(id(node))
        if known is None:
            value = self.function(node)
            while len(self._memos) >= self.capacity:
                del self._memos[next(iter(self._memos))]
            known = self._memos[id(node)] = (node, value)
        return known[1]

    def pairs(self) -> Iterator[tuple[Node, Value]]:
        """List the latest nodes with their values, the newest first."""
        return reversed(self._memos.values())


def memoized_by_identity(capacity: int) -> Callable[[Callable[[Node], Value]], IdentityMemo[Node, Value]]:
    """Decorate a function of one node; `capacity` is how many nodes are in use at a time."""
    return lambda function: IdentityMemo(function, capacity)
