"""Every node inside a node, found by the fields alone.

In: any node of the graph, or a tuple or dict of them. Out: the nodes, outer ones first. This is
all the traversal there is: whoever looks for questions, cells or names filters what comes.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

# Words and numbers hold no nodes.
LEAVES = frozenset({str, int, bool, NoneType, Fraction})


@cache
def fields_of(type_: Any) -> tuple[str, ...]:
    """List the fields of a node class."""
    return tuple(field.name for field in fields(type_)) if is_dataclass(type_) else ()


@cache
def _inner_fields(type_: Any) -> tuple[str, ...] | None:
    """List the fields of a node class that may hold nodes; None of what is no node."""
    if not is_dataclass(type_):
        return None
    hints = get_type_hints(type_)
    return tuple(field.name for field in fields(type_) if not _holds_leaves(hints[field.name]))


def _holds_leaves(hint: Any) -> bool:
    """Tell whether values of a type are words and numbers, or tuples of them, and nothing else."""
    if get_origin(hint) is Literal:
        return True
    parts = [part for part in get_args(hint) if part is not Ellipsis]
    return all(map(_holds_leaves, parts)) if parts else hint in LEAVES


def walk(value: Any) -> Iterator[Any]:
    """Yield every node in a value, itself included if it is one."""
    todo = [value]
    while todo:
        here = todo.pop()
        if isinstance(here, tuple):
            todo.extend(reversed(here))
        elif isinstance(here, dict):
            todo.extend(reversed(here.values()))
        elif (names := _inner_fields(here.__class__)) is not None:
            yield here
            inner = (getattr(here, name) for name in reversed(names))
            todo += [part for part in inner if part.__class__ not in LEAVES]
