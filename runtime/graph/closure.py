"""Transitive closure of a relation."""

from collections.abc import Callable, Hashable, Iterable
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
