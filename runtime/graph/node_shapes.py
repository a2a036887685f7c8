"""Shapes: the structure of node classes, derived from their annotations.

In: a type annotation of a node class. Out: a `Shape`, which serializer, deserializer and schema share, so that they
agree by construction.
"""

from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Plain:
    """A string, an integer, a boolean, None, or a Fraction."""

    type: type


@frozen_dataclass
class Choice:
    """One of a few strings."""

    words: tuple[str, ...]


@frozen_dataclass
class Node:
    """A node of one class."""

    type: type


@frozen_dataclass
class OneOf:
    """A union; node classes in it are distinguished by tags."""

    options: tuple["Shape", ...]


@frozen_dataclass
class Row:
    """A tuple of any length."""

    element: "Shape"


@frozen_dataclass
class Fixed:
    """A tuple of fixed length."""

    parts: tuple["Shape", ...]


@frozen_dataclass
class Named:
    """A mapping with strings as keys."""

    element: "Shape"


Shape = Plain | Choice | Node | OneOf | Row | Fixed | Named

PLAIN = (str, int, bool, NoneType, Fraction)


def _annotation_shape(hint: Any) -> Shape:
    """Return the shape of an annotation; `TypeError` for one that no node may have."""
    if hint in PLAIN:
        return Plain(hint)
    if is_dataclass(hint):
        return Node(hint)  # type: ignore[arg-type]  # get_type_hints gives classes
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return Choice(inner)
    if origin in (UnionType, Union):
        return OneOf(tuple(_annotation_shape(option) for option in inner))
    if origin is tuple and inner[-1] is Ellipsis:
        return Row(_annotation_shape(inner[0]))
    if origin is tuple:
        return Fixed(tuple(_annotation_shape(part) for part in inner))
    if origin is dict:
        return Named(_annotation_shape(inner[1]))
    raise TypeError(f"a node cannot hold {hint}")


@cache
def field_shapes(type_: type) -> dict[str, Shape]:
    """Return the shapes of the fields of a node class."""
    hints = get_type_hints(type_)
    return {field.name: _annotation_shape(hints[field.name]) for field in fields(type_)}


def needs_tag(options: tuple[Shape, ...]) -> bool:
    """Return whether the nodes of a union need class tags."""
    return sum(isinstance(option, Node) for option in options) > 1
