"""Generic traversal and rewriting of nodes by their fields.

`walk` yields the nodes of a tree in pre-order, and `map_children` rebuilds a node from its changed children: analyses
filter the output of the first, and rewrites recurse through the second. Both work for any immutable dataclass.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from operator import attrgetter, is_
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from runtime.graph import nodes as graph

T = TypeVar("T")

# Leaf types, which contain no nodes.
LEAVES = frozenset({str, int, bool, NoneType, Fraction})


@cache
def fields_of(type_: Any) -> tuple[str, ...]:
    """Return the fields of a node class."""
    return tuple(field.name for field in fields(type_)) if is_dataclass(type_) else ()


@cache
def _inner_fields(type_: Any) -> tuple[str, ...] | None:
    """Return the fields of a node class that may contain nodes; None for other classes."""
    if not is_dataclass(type_):
        return None
    hints = get_type_hints(type_)
    return tuple(field.name for field in fields(type_) if not _holds_leaves(hints[field.name]))


def _holds_leaves(hint: Any) -> bool:
    """Return whether values of a type consist of strings and numbers only."""
    if get_origin(hint) is Literal:
        return True
    parts = [part for part in get_args(hint) if part is not Ellipsis]
    return all(map(_holds_leaves, parts)) if parts else hint in LEAVES


class _PartGetters(dict[type, Callable[[Any], tuple[Any, ...]] | None]):
    """Getters of the nested values of a class, last one first; None for leaves and containers.

    Traversals take a good part of the time of a check, so all fields are read by one call, memoized by class.
    """

    def __missing__(self, type_: type) -> Callable[[Any], tuple[Any, ...]] | None:
        names = None if type_ in LEAVES else _inner_fields(type_)
        self[type_] = found = None if names is None else _getter(names[::-1])
        return found


_PARTS = _PartGetters()


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    match names:
        case ():
            return lambda _: ()
        case (name,):
            get = attrgetter(name)
            return lambda node: (get(node),)
        case _:
            return attrgetter(*names)


def walk(value: Any) -> Iterator[Any]:
    """Yield every node in a value, including the value itself if it is one."""
    todo = [value]
    pop, push, parts_of = todo.pop, todo.extend, _PARTS
    while todo:
        node = pop()
        if node.__class__ is tuple:
            push(node[::-1])
        elif (parts := parts_of[node.__class__]) is not None:
            yield node
            push(parts(node))
        elif node.__class__ in LEAVES:
            pass
        elif isinstance(node, tuple):
            push(reversed(node))
        elif isinstance(node, Mapping):
            push(reversed(tuple(node.values())))


def nodes_of(kind: type[T], value: Any) -> Iterator[T]:
    """Yield every node of one class in a value."""
    for node in walk(value):
        if isinstance(node, kind):
            yield node


def children(node: Any) -> tuple[Any, ...]:
    """Return the values of the fields of a node, or the members of a tuple; leaves have none."""
    return node if isinstance(node, tuple) else tuple(getattr(node, name) for name in fields_of(node.__class__))


def map_children(node: T, change: Callable[[Any], Any]) -> T:
    """Rebuild a node or a tuple from its children, changed unless they are leaves; the same object if none changes."""
    old = children(node)
    new = tuple([part if part.__class__ in LEAVES else change(part) for part in old])
    if all(map(is_, old, new)):
        return node
    return new if isinstance(node, tuple) else node.__class__(*new)  # type: ignore[return-value]  # of its own class


def replace_children(node: T, values: Mapping[graph.Expr, graph.Expr]) -> T:
    """Return a node with direct subexpressions replaced, members of its tuples included."""

    def change(part: Any) -> Any:
        return map_children(part, change) if isinstance(part, tuple) else values.get(part, part)

    return map_children(node, change)


def inner_expressions(expr: Any) -> Iterator[graph.Expr]:
    """Yield the direct subexpressions of an expression, or the expressions in the fields of a step."""
    for name in fields_of(expr.__class__):
        value = getattr(expr, name)
        for each in value if isinstance(value, tuple) else (value,):
            inner = each[1] if isinstance(each, tuple) and len(each) == 2 else each
            if isinstance(inner, graph.Expr):
                yield inner
