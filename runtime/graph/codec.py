"""Serialization of graphs as canonical JSON, and validating deserialization.

In: a Graph. Out: one line of JSON with sorted keys: equal graphs give equal bytes on any machine. Deserialization
raises `GraphError`, with place and reason, for another version, a wrong shape, a changed content, or a dangling name.

The order of mappings is not preserved; the order of the sources is in the origins of the nodes.
"""

import hashlib
import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.canonical import AMONG_OTHERS, TAG, canonical_json, make_lazily
from runtime.graph.node_shapes import Choice, Fixed, Named, Node, OneOf, Plain, Row, Shape, field_shapes, needs_tag
from runtime.graph.references import dangling_references
from runtime.graph.schema import FRACTION, make_schema
from runtime.graph.version import VERSION


class GraphError(Exception):
    """Raised for a file that is no valid graph; the message has place and reason."""


def decode_graph(text: str | bytes) -> graph.Graph:
    """Deserialize and validate a graph; raises `GraphError`."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise GraphError(f"this is not JSON: {error}") from None
    except RecursionError:
        raise GraphError("this is no rule graph: it is nested too deep") from None
    return graph_from_data(data)


def graph_from_data(data: Any) -> graph.Graph:
    """Build and validate a graph from plain data; raises `GraphError`."""
    if not isinstance(data, dict) or "version" not in data:
        raise GraphError("this is not a rule graph")
    if data["version"] != VERSION:
        raise GraphError(f"the graph has version {data['version']}, and this runtime reads version {VERSION}")
    try:
        rules: graph.Graph = make_reader(Node(graph.Graph))(data)
    except (ShapeError, KeyError, TypeError, ValueError):
        raise GraphError(
            schema_error(data) or "the graph has a shape that its schema admits and its reader does not"
        ) from None
    if rules.hash != hash_of_data(data):
        raise GraphError("the graph was changed after it was compiled: its hash does not fit its content")
    if lost := dangling_references(rules):
        raise GraphError(lost[0])
    return rules


class ShapeError(Exception):
    """Raised for a value of another shape than its field."""


def hash_of_data(data: dict[str, Any]) -> str:
    """Return the SHA-256 of the plain data of a graph, its own `hash` left empty, as hexadecimal digits."""
    return hashlib.sha256(canonical_json({**data, "hash": ""}).encode()).hexdigest()


def schema_error(data: Any) -> str:
    """Return how plain data violates the schema, "" if it does not. Slow, so only called after a failed read."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- takes long to load
    from jsonschema.exceptions import best_match  # noqa: PLC0415 -- as above

    error = best_match(Draft202012Validator(make_schema()).iter_errors(data))
    if error is None:
        return ""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return f"at {place.removeprefix('.') or 'the top'}: {error.message[:300]}"


@cache
def make_reader(form: Shape) -> Callable[[Any], Any]:
    """Return the deserializer of a shape, which raises `ShapeError` for values of another."""
    match form:
        case Plain(type=kind):
            return exact_type(str, read_fraction) if kind is Fraction else exact_type(kind, lambda value: value)
        case Choice(words):
            return literal_reader(frozenset(words))
        case Node(type=kind):
            return node_reader(kind, 0)
        case OneOf(options):
            return choice_reader(options)
        case Row(element):
            inner = make_reader(element)
            return exact_type(list, lambda values: tuple([inner(value) for value in values]))
        case Fixed(parts=parts_):
            readers = [make_reader(part) for part in parts_]
            fixed = exact_type(
                list, lambda values: [read_(value) for read_, value in zip(readers, values, strict=True)]
            )
            return lambda values: tuple(fixed(values))
        case Named(element):
            read_value = make_reader(element)
            return exact_type(dict, lambda values: {key: read_value(value) for key, value in values.items()})


def exact_type(kind: type, make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a deserializer of values of exactly one Python type; it raises `ShapeError` for others."""

    def read_exactly(value: Any) -> Any:
        if type(value) is not kind:
            raise ShapeError
        return make(value)

    return read_exactly


def literal_reader(words: frozenset[str]) -> Callable[[Any], Any]:
    """Return a deserializer of one of a few strings; it raises `ShapeError` for others."""

    def read_word(value: Any) -> Any:
        if type(value) is not str or value not in words:
            raise ShapeError
        return value

    return read_word


def read_fraction(text: str) -> Fraction:
    """Return the fraction in a text; `ShapeError` if it is none. `Fraction` would accept `1e999999` and expand it."""
    if not re.fullmatch(FRACTION["pattern"], text):
        raise ShapeError
    return Fraction(text)


def node_reader(kind: type, tags: int) -> Callable[[Any], Any]:
    """Return the deserializer of a node class: all its fields, and nothing else but its tag, or `ShapeError`."""
    parts = [(name, make_lazily(make_reader, part)) for name, part in field_shapes(kind).items()]
    size = len(parts) + tags

    def read_node(data: Any) -> Any:
        if type(data) is not dict or len(data) != size:
            raise ShapeError
        return kind(*[read_(data[name]) for name, read_ in parts])

    return read_node


def choice_reader(options: tuple[Shape, ...]) -> Callable[[Any], Any]:
    """Return the deserializer of a value of one of several types; it raises `ShapeError` for others."""
    tags = int(needs_tag(options))
    nodes = {option.type.__name__: node_reader(option.type, tags) for option in options if isinstance(option, Node)}
    lists = [make_reader(option) for option in options if isinstance(option, Row | Fixed)]
    plain = tuple(option.type for option in options if isinstance(option, Plain))
    only = next(iter(nodes.values())) if nodes and not tags else None

    def read_choice(data: Any) -> Any:
        if type(data) in plain:
            return data
        if isinstance(data, list) and lists:
            return lists[0](data)
        if Fraction in plain and isinstance(data, dict) and list(data) == [AMONG_OTHERS]:
            return exact_type(str, read_fraction)(data[AMONG_OTHERS])
        if not isinstance(data, dict) or not nodes:
            raise ShapeError
        return (only or nodes[data[TAG]])(data)

    return read_choice
