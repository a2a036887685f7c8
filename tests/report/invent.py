"""Makes an instance of any problem class from the types of its fields, for tests of its words."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from compiler.source.span import Span

PLAIN: dict[type, Callable[[], Any]] = {
    str: lambda: "sample",
    int: lambda: 2,
    bool: lambda: True,
    Fraction: lambda: Fraction(7, 2),
    NoneType: lambda: None,
    Span: lambda: Span("toy/sample.rules", 2, 3, 2, 9),
}


def invent(kind: Any) -> Any:
    """Return an instance of a type."""
    if kind in PLAIN:
        return PLAIN[kind]()
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        return (invent(inner[0]),) * 2 if inner[-1] is Ellipsis else tuple(map(invent, inner))
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if get_origin(kind) is dict:
        return {}
    if isinstance(kind, UnionType):
        return invent(get_args(kind)[0])
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{field.name: invent(hints[field.name]) for field in fields(kind)})  # type: ignore[operator]  # a class
    raise TypeError(f"teach tests/report/invent.py to make a {kind}")
