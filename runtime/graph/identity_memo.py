"""Memoization of functions of a large node (a graph, a vocabulary, a map) by the identity of the node.

Hashing or comparing such a node costs as much as the derived value, and nodes are immutable. A memo holds a reference
to its node, so that its identity stays unique. The latest `capacity` nodes are retained.

Further arguments are no part of the key: there is one memo per node, with the arguments of its computation, which is
valid while these are equal.
"""

from collections.abc import Callable
from typing import Generic, TypeVar, TypeVarTuple

Node = TypeVar("Node")
Value = TypeVar("Value")
Arguments = TypeVarTuple("Arguments")


class _IdentityMemo(Generic[Node, *Arguments, Value]):
    """A function of one node and further arguments, memoized for the latest nodes."""

    def __init__(self, function: Callable[[Node, *Arguments], Value], capacity: int) -> None:
        """Start without memos."""
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


def memoized_by_identity(
    capacity: int = 8,
) -> Callable[[Callable[[Node, *Arguments], Value]], _IdentityMemo[Node, *Arguments, Value]]:
    """Return a decorator that memoizes a function of one node; `capacity` is how many nodes are in use at a time."""
    return lambda function: _IdentityMemo(function, capacity)
