"""Every node inside a node, found by the fields alone.

In: any node of the graph, or a tuple or dict of them. Out: the nodes, outer ones first. This is
all the traversal there is: whoever looks for questions, cells or names filters what comes.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any

# Words and numbers hold no nodes.
LEAVES = frozenset({str, int, bool, type(None), Fraction})


@cache
def fields_of(type_: Any) -> tuple[str, ...]:
    """List the fields of a node class."""
    return tuple(field.name for field in fields(type_)) if is_dataclass(type_) else ()


def walk(value: Any) -> Iterator[Any]:
    """Yield every node in a value, itself included if it is one."""
    todo = [value]
    while todo:
        here = todo.pop()
        if isinstance(here, tuple):
            todo.extend(reversed(here))
        elif isinstance(here, dict):
            todo.extend(reversed(here.values()))
        elif names := fields_of(here.__class__):
            yield here
            parts = [part for name in names if (part := getattr(here, name)).__class__ not in LEAVES]
            todo += reversed(parts)
