"""Serialization of nodes as canonical JSON: sorted keys, no optional parts, the same bytes on any machine.

In: a Graph, or any node. Out: text or plain data. A node has a class tag (`is`) only where its field admits several
classes; a Fraction is text, "7/2", and where the field also admits text, {"fraction": "7/2"}.

Text is emitted directly instead of from plain data, which takes a third of the time. For its hash a graph is
serialized in pieces; callers that hash many graphs may memoize the text of a node (`Text`).
"""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from json.encoder import encode_basestring
from types import NoneType
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.node_shapes import Choice, Fixed, Named, Node, OneOf, Plain, Row, Shape, field_shapes, needs_tag

TAG = "is"
AMONG_OTHERS = "fraction"
Write = Callable[[Any], str]
# Serializes a node with the serializer of its shape, or returns memoized text.
Text = Callable[[Any, Write], str]


def canonical_pieces(node: graph.Graph | graph.Vocabulary, text: Text) -> Iterator[bytes]:
    """Yield the serialized fields of a graph; `text` serializes the nodes of fields with many."""
    kind: type = type(node)
    for number, (name, form) in enumerate(sorted(field_shapes(kind).items())):
        yield f'{"," if number else "{"}"{name}":'.encode()
        match form, getattr(node, name):
            case Node(), graph.Vocabulary() as words:
                yield from canonical_pieces(words, text)
            case Named(element=Node() as element), members:
                write = make_writer(element)
                yield _braced_mapping({each: text(members[each], write) for each in members}).encode()
            case Row(element=Node() as element), members:
                write = make_writer(element)
                yield f"[{','.join([text(member, write) for member in members])}]".encode()
            case _, value:
                yield make_writer(form)(value).encode()
    yield b"}"


def _braced_mapping(parts: dict[str, str]) -> str:
    """Return a JSON object from serialized values."""
    return "{" + ",".join([f"{encode_basestring(name)}:{text}" for name, text in sorted(parts.items())]) + "}"


def node_text(value: Any) -> str:
    """Return the canonical JSON text of a node."""
    return make_writer(Node(type(value)))(value)


def plain_data(value: Any) -> Any:
    """Return a node as plain data of JSON: dictionaries, lists and scalars."""
    return json.loads(node_text(value))


# Serializers of plain values by class, for fields that admit several.
PLAIN: dict[type, Write] = {
    str: encode_basestring,
    int: int.__repr__,
    bool: lambda value: "true" if value else "false",
    NoneType: lambda _: "null",
    Fraction: lambda value: f'"{value}"',
}


@cache
def make_writer(form: Shape) -> Write:
    """Return the serializer of a shape."""
    match form:
        case Plain(type=kind):
            return encode_basestring if kind is str else lambda value: PLAIN[type(value)](value)
        case Choice():
            return encode_basestring
        case Node(type=kind):
            return _node_writer(kind, tag=False)
        case OneOf(options):
            return _choice_writer(options)
        case Row(element):
            inner = make_writer(element)
            return lambda values: "[" + ",".join([inner(value) for value in values]) + "]" if values else "[]"
        case Fixed(parts=parts_):
            writers = [make_writer(part) for part in parts_]
            return lambda values: (
                "[" + ",".join([write(value) for write, value in zip(writers, values, strict=True)]) + "]"
            )
        case Named(element):
            write_value = make_writer(element)
            return lambda values: _braced_mapping({key: write_value(value) for key, value in values.items()})


def _node_writer(kind: type, *, tag: bool) -> Write:
    """Return the serializer of a node class, with its name as a tag if requested.

    It is a Python expression generated for the class: a loop over the fields takes half as long again.
    """
    parts = field_shapes(kind)
    names = sorted((*parts, TAG) if tag else parts)
    member_texts = (f'"{name}":' + (f'"{kind.__name__}"' if name == TAG and tag else "%s") for name in names)
    known: dict[str, Any] = {"template": "{" + ",".join(member_texts) + "}"}
    known |= {f"write_{name}": make_writer(parts[name]) for name in names if name in parts}
    fields = "".join(f"write_{name}(node.{name}), " for name in names if name in parts)
    writer: Write = eval(f"lambda node: template % ({fields})", known)
    return writer


class _UnionChoices(dict[type, Write]):
    """The serializers of a union, by class.

    The serializer of a node class is created at the first use, as classes may be recursive.
    """

    def __init__(self, options: tuple[Shape, ...]) -> None:
        """Start with the serializers of plain values."""
        super().__init__({**PLAIN, Fraction: lambda value: f'{{"{AMONG_OTHERS}":"{value}"}}'})
        self._make_writer = make_tagged_writer if needs_tag(options) else make_writer
        self._nodes = {option.type: option for option in options if isinstance(option, Node)}
        self.update((tuple, make_writer(option)) for option in options if isinstance(option, Row | Fixed))

    def __missing__(self, kind: type) -> Write:
        self[kind] = writer = self._make_writer(self._nodes[kind])
        return writer


def _choice_writer(options: tuple[Shape, ...]) -> Write:
    """Return the serializer of a union."""
    by_class = _UnionChoices(options)
    return lambda value: by_class[type(value)](value)


@cache
def make_tagged_writer(form: Shape) -> Write:
    """Return the serializer of a node with its class tag."""
    assert isinstance(form, Node)
    return _node_writer(form.type, tag=True)
