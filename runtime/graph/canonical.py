"""Write nodes as canonical JSON: keys sorted, nothing left out, the same bytes on any machine.

In: a Graph, or any node. Out: text or plain data. A node says what class it is of (`is`) only
where its place admits several; a Fraction is written as text, "7/2".

Text is put together at once, node by node, instead of building plain data first: that takes a third of the time,
and what a node was written as can be kept (`Texts`) for the next graph that holds the same one.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from json.encoder import encode_basestring
from types import NoneType
from typing import Any, TypeVar, assert_never

from runtime.graph import nodes as graph
from runtime.graph.shape import Fixed, Named, Node, OneOf, Plain, Row, Shape, shapes, tagged

TAG = "is"
T = TypeVar("T")
Write = Callable[[Any], str]
# What nodes were written as, by what they are at home: the node comes along, so that its place stays taken.
Texts = dict[int, tuple[object, str]]
# A large stack has some thousands of nodes that are kept.
MOST_TEXTS = 100_000


def encode(rules: graph.Graph, kept: Texts | None = None) -> str:
    """Write a graph; what is `kept` is taken from there, and kept for the next."""
    if kept is None:
        return text_of(rules)
    if len(kept) > MOST_TEXTS:
        kept.clear()
    parts = {name: part_of(getattr(rules, name), form, kept) for name, form in shapes(graph.Graph).items()}
    return braced(parts)


def part_of(value: Any, form: Shape, kept: Texts) -> str:
    """Write a field of a graph, its nodes one by one."""
    match form:
        case Node(type=graph.Vocabulary):
            return braced({name: part_of(getattr(value, name), part, kept) for name, part in shapes(form.type).items()})
        case Named(of=Node() as of):
            return braced({name: kept_text(node, of, kept) for name, node in value.items()})
        case Row(of=Node() as of):
            return "[" + ",".join([kept_text(node, of, kept) for node in value]) + "]"
        case _:
            return writer(form)(value)


def kept_text(node: Any, form: Shape, kept: Texts) -> str:
    """Write a node, or take what it was written as."""
    found = kept.get(id(node))
    if found is None:
        kept[id(node)] = found = (node, writer(form)(node))
    return found[1]


def braced(parts: dict[str, str]) -> str:
    """Write a mapping whose values are written already."""
    return "{" + ",".join([f"{encode_basestring(name)}:{text}" for name, text in sorted(parts.items())]) + "}"


def text_of(value: Any) -> str:
    """Write a node."""
    return writer(Node(type(value)))(value)


def written(value: Any) -> Any:
    """Turn nodes into plain data."""
    return json.loads(text_of(value))


def dumped(data: Any) -> str:
    """Write plain data the canonical way."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# By the class of a plain value: several may stand in one place.
PLAIN: dict[type, Write] = {
    str: encode_basestring,
    int: int.__repr__,
    bool: lambda value: "true" if value else "false",
    NoneType: lambda _: "null",
    Fraction: lambda value: f'"{value}"',
}


@cache
def writer(form: Shape) -> Write:
    """Make what writes values of a shape."""
    match form:
        case Plain(type=kind):
            return encode_basestring if kind is str else lambda value: PLAIN[type(value)](value)
        case Node(type=kind):
            return node_writer(kind, tag=False)
        case OneOf(options):
            return choice_writer(options)
        case Row(of):
            inner = writer(of)
            return lambda values: "[" + ",".join([inner(value) for value in values]) + "]"
        case Fixed(parts=parts_):
            writers = [writer(part) for part in parts_]
            return lambda values: (
                "[" + ",".join([write(value) for write, value in zip(writers, values, strict=True)]) + "]"
            )
        case Named(of):
            inside = writer(of)
            return lambda values: braced({key: inside(value) for key, value in values.items()})
        case _:
            assert_never(form)


def node_writer(kind: type, *, tag: bool) -> Write:
    """Make what writes nodes of a class, its name among the fields if that is asked for."""
    parts = shapes(kind)
    names = sorted((*parts, TAG) if tag else parts)
    whole = (f'"{name}":' + (f'"{kind.__name__}"' if name == TAG and tag else "%s") for name in names)
    template = "{" + ",".join(whole) + "}"
    fields: list[tuple[str, Write]] = []

    def write_node(node: Any) -> str:
        if not fields:  # Made at the first use: nodes hold nodes of their own class.
            fields.extend((name, writer(parts[name])) for name in names if name in parts)
        return template % tuple([write(getattr(node, name)) for name, write in fields])

    return write_node


def choice_writer(options: tuple[Shape, ...]) -> Write:
    """Make what writes one of several, told apart by their classes."""
    make = tagging if tagged(options) else writer
    by_class = PLAIN | {option.type: make(option) for option in options if isinstance(option, Node)}
    by_class |= [(tuple, writer(option)) for option in options if isinstance(option, Row | Fixed)]
    return lambda value: by_class[type(value)](value)


@cache
def tagging(form: Shape) -> Write:
    """Make what writes a node with the name of its class."""
    assert isinstance(form, Node)
    return node_writer(form.type, tag=True)


def later(make: Callable[[Shape], Callable[[Any], T]], form: Shape) -> Callable[[Any], T]:
    """Put off making until the first use: nodes hold nodes of their own class."""
    made: list[Callable[[Any], T]] = []

    def call(value: Any) -> T:
        if not made:
            made.append(make(form))
        return made[0](value)

    return call
