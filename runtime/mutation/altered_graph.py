"""Alterations of a graph by paths: the fields, keys and indexes that lead from a node to one inside it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

T = TypeVar("T")

Path = tuple[str | int, ...]
# A path and the value that takes the place of what it leads to.
PathChange = tuple[Path, Any]


def value_at(node: Any, path: Path) -> Any:
    """Return what a path leads to."""
    for key in path:
        is_field = isinstance(key, str) and not isinstance(node, Mapping)
        node = getattr(node, str(key)) if is_field else node[key]
    return node


def with_value(node: Any, path: Path, value: Any) -> Any:
    """Return a node with another value in one place."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    changed = with_value(value_at(node, path[:1]), rest, value)
    match key:
        case int():
            return (*node[:key], changed, *node[key + 1 :])
        case _ if isinstance(node, Mapping):
            return {**node, key: changed}
        case _:
            return replace(node, **{key: changed})


def with_edits(node: T, edits: Iterable[PathChange]) -> T:
    """Return a node with other values in some places."""
    for path, value in edits:
        node = with_value(node, path, value)
    return node


def omissions(members: tuple[T, ...]) -> Iterator[tuple[T, tuple[T, ...]]]:
    """Yield each member of a tuple, and the tuple without it."""
    for index, member in enumerate(members):
        yield member, (*members[:index], *members[index + 1 :])
