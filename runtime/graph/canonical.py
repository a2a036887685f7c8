"""Write nodes as canonical JSON: keys sorted, nothing left out, the same bytes on any machine.

In: a Graph, or any node. Out: text or plain data. A node says what class it is of (`is`) only
where its place admits several; a Fraction is written as text, "7/2".
"""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, assert_never

from runtime.graph import nodes as graph
from runtime.graph.shape import Fixed, Named, Node, OneOf, Plain, Row, Shape, shapes, tagged

TAG = "is"


def encode(rules: graph.Graph) -> str:
    """Write a graph."""
    return dumped(written(rules))


def dumped(data: Any) -> str:
    """Write plain data the canonical way."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def written(value: Any) -> Any:
    """Turn nodes into plain data."""
    return writer(Node(type(value)))(value)


@cache
def writer(form: Shape) -> Callable[[Any], Any]:
    """Make what writes values of a shape."""
    match form:
        case Plain(type=kind):
            return str if kind is Fraction else lambda value: value
        case Node(type=kind):
            parts = {name: later(writer, part) for name, part in shapes(kind).items()}
            return lambda node: {name: write(getattr(node, name)) for name, write in parts.items()}
        case OneOf(options):
            by_class: dict[type, Callable[[Any], Any]] = {o.type: writer(o) for o in options if isinstance(o, Node)}
            rows = [writer(o) for o in options if isinstance(o, Row | Fixed)]
            tag = tagged(options)

            def one_of(value: Any) -> Any:
                write = by_class.get(type(value))
                if write is None:
                    return rows[0](value) if isinstance(value, tuple) else value
                return {TAG: type(value).__name__, **write(value)} if tag else write(value)

            return one_of
        case Row(of):
            inner = writer(of)
            return lambda values: [inner(value) for value in values]
        case Fixed(parts=parts_):
            writers = [writer(part) for part in parts_]
            return lambda values: [write(value) for write, value in zip(writers, values, strict=True)]
        case Named(of):
            inside = writer(of)
            return lambda values: {key: inside(value) for key, value in values.items()}
        case _:
            assert_never(form)


def later(make: Callable[[Shape], Callable[[Any], Any]], form: Shape) -> Callable[[Any], Any]:
    """Put off making until the first use: nodes hold nodes of their own class."""
    made: list[Callable[[Any], Any]] = []

    def call(value: Any) -> Any:
        if not made:
            made.append(make(form))
        return made[0](value)

    return call
