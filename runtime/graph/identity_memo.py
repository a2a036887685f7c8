"""Memoize what is derived from a large node (a graph, a vocabulary, a map) under the identity of that node.

To hash or compare such a node costs as much as what is derived from it, and nodes are never changed. A memo holds its
node, so that no other one can take its place in memory while the memo serves. The latest `capacity` nodes stay.

What a value depends on beside its node is no key: a memo holds one value a node, with the arguments it was computed
of, and serves while these are equal.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar, TypeVarTuple

Node = TypeVar("Node")
Value = TypeVar("Value")
Arguments = TypeVarTuple("Arguments")


class IdentityMemo(Generic[Node, *Arguments, Value]):
    """A function of one node, and of arguments beside it, with the values it gave for the latest nodes."""

    def __init__(self, function: Callable[[Node, *Arguments], Value], capacity: int) -> None:
        """Begin with no values."""
        self.function = function
        self.capacity = capacity
        self._memos: dict[int, tuple[Node, tuple[*Arguments], Value]] = {}

    def __call__(self, node: Node, *arguments: *Arguments) -> Value:
        """Return the value for a node, computed once while the node is among the latest and the arguments are equal."""
        known = self._memos.get(id(node))
        if known is None or known[1] != arguments:
            value = self.function(node, *arguments)
            self._memos.pop(id(node), None)
            while len(self._memos) >= self.capacity:
                del self._memos[next(iter(self._memos))]
            known = self._memos[id(node)] = (node, arguments, value)
        return known[2]

    def pairs(self) -> Iterator[tuple[Node, Value]]:
        """List the latest nodes with their values, the newest first."""
        return ((node, value) for node, _, value in reversed(self._memos.values()))


def memoized_by_identity(
    capacity: int,
) -> Callable[[Callable[[Node, *Arguments], Value]], IdentityMemo[Node, *Arguments, Value]]:
    """Decorate a function of one node; `capacity` is how many nodes are in use at a time."""
    return lambda function: IdentityMemo(function, capacity)
