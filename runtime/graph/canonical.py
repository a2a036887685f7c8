"""Write nodes as canonical JSON: keys sorted, nothing left out, the same bytes on any machine.

In: a Graph, or any node. Out: text or plain data. A node says what class it is of (`is`) only
where its place admits several; a Fraction is written as text, "7/2", and where it stands among
plain values of other classes, of which one may be text, as {"fraction": "7/2"}.

Text is put together at once, node by node, instead of building plain data first: that takes a third of the time.
For its hash a graph is written in pieces; whoever hashes many graphs may know what a node is written as (`Text`).
"""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from json.encoder import encode_basestring
from types import NoneType
from typing import Any, TypeVar, assert_never

from runtime.graph import nodes as graph
from runtime.graph.node_shapes import Choice, Fixed, Named, Node, OneOf, Plain, Row, Shape, field_shapes, needs_tag

TAG = "is"
AMONG_OTHERS = "fraction"
T = TypeVar("T")
Write = Callable[[Any], str]
# Writes a node with what writes nodes of its shape, or knows what that gives.
Text = Callable[[Any, Write], str]


def encode(rules: graph.Graph) -> str:
    """Write a graph."""
    return text_of(rules)


def canonical_pieces(node: graph.Graph | graph.Vocabulary, text: Text) -> Iterator[bytes]:
    """Write a graph field by field; `text` writes the nodes of fields that hold many."""
    kind: type = type(node)
    for number, (name, form) in enumerate(sorted(field_shapes(kind).items())):
        yield f'{"," if number else "{"}"{name}":'.encode()
        match form, getattr(node, name):
            case Node(), graph.Vocabulary() as words:
                yield from canonical_pieces(words, text)
            case Named(of=Node() as of), members:
                write = make_writer(of)
                yield braced_mapping({each: text(members[each], write) for each in members}).encode()
            case Row(of=Node() as of), members:
                write = make_writer(of)
                yield f"[{','.join([text(member, write) for member in members])}]".encode()
            case _, value:
                yield make_writer(form)(value).encode()
    yield b"}"


def braced_mapping(parts: dict[str, str]) -> str:
    """Write a mapping whose values are written already."""
    return "{" + ",".join([f"{encode_basestring(name)}:{text}" for name, text in sorted(parts.items())]) + "}"


def text_of(value: Any) -> str:
    """Write a node."""
    return make_writer(Node(type(value)))(value)


def plain_data(value: Any) -> Any:
    """Turn nodes into plain data."""
    return json.loads(text_of(value))


def canonical_json(data: Any) -> str:
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
def make_writer(form: Shape) -> Write:
    """Make what writes values of a shape."""
    match form:
        case Plain(type=kind):
            return encode_basestring if kind is str else lambda value: PLAIN[type(value)](value)
        case Choice():
            return encode_basestring
        case Node(type=kind):
            return node_writer(kind, tag=False)
        case OneOf(options):
            return choice_writer(options)
        case Row(of):
            inner = make_writer(of)
            return lambda values: "[" + ",".join([inner(value) for value in values]) + "]" if values else "[]"
        case Fixed(parts=parts_):
            writers = [make_writer(part) for part in parts_]
            return lambda values: (
                "[" + ",".join([write(value) for write, value in zip(writers, values, strict=True)]) + "]"
            )
        case Named(of):
            inside = make_writer(of)
            return lambda values: braced_mapping({key: inside(value) for key, value in values.items()})
        case _:
            assert_never(form)


def node_writer(kind: type, *, tag: bool) -> Write:
    """Make what writes nodes of a class, its name among the fields if that is asked for.

    That is an expression of Python made for the class: a loop over the fields takes half as long again.
    """
    parts = field_shapes(kind)
    names = sorted((*parts, TAG) if tag else parts)
    whole = (f'"{name}":' + (f'"{kind.__name__}"' if name == TAG and tag else "%s") for name in names)
    known: dict[str, Any] = {"template": "{" + ",".join(whole) + "}"}
    known |= {f"write_{name}": make_writer(parts[name]) for name in names if name in parts}
    fields = "".join(f"write_{name}(node.{name}), " for name in names if name in parts)
    made: Write = eval(f"lambda node: template % ({fields})", known)
    return made


class Choices(dict[type, Write]):
    """What writes one of several, told apart by their classes.

    What writes a node is made at the first use: where a node holds others of its own class, several may stand.
    """

    def __init__(self, options: tuple[Shape, ...]) -> None:
        """Begin with plain values."""
        super().__init__({**PLAIN, Fraction: lambda value: f'{{"{AMONG_OTHERS}":"{value}"}}'})
        self._make = make_tagged_writer if needs_tag(options) else make_writer
        self._nodes = {option.type: option for option in options if isinstance(option, Node)}
        self.update((tuple, make_writer(option)) for option in options if isinstance(option, Row | Fixed))

    def __missing__(self, kind: type) -> Write:
        self[kind] = made = self._make(self._nodes[kind])
        return made


def choice_writer(options: tuple[Shape, ...]) -> Write:
    """Make what writes one of several."""
    by_class = Choices(options)
    return lambda value: by_class[type(value)](value)


@cache
def make_tagged_writer(form: Shape) -> Write:
    """Make what writes a node with the name of its class."""
    assert isinstance(form, Node)
    return node_writer(form.type, tag=True)


def defer_making(make: Callable[[Shape], Callable[[Any], T]], form: Shape) -> Callable[[Any], T]:
    """Put off making until the first use: nodes hold nodes of their own class."""
    made: list[Callable[[Any], T]] = []

    def call(value: Any) -> T:
        if not made:
            made.append(make(form))
        return made[0](value)

    return call
