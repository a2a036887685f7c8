"""What people only read of a graph, and nodes without it.

In: nodes. Out: their canonical forms, which are equal if the nodes are, wherever they stand in the sources. Without
what is printed they are equal if the same is computed from the nodes: answers, games, and the choices of players.
"""

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import Any

from runtime.graph import nodes as graph

# Fields with the origin of a node, or with the name of a graph as a whole.
ELSEWHERE: Mapping[type, frozenset[str]] = {
    graph.Graph: frozenset({"version", "stack", "hash"}),
    graph.Vocabulary: frozenset({"origins"}),
    graph.Scenario: frozenset({"lines"}),
}
ORIGIN = "origin"
PRECONDITION = "precondition"
# Whole parts of a graph that answer nothing: the book prints them, `test` runs them, `audit` checks games against them.
BOOK = {
    "layers": "layer",
    "documents": "document",
    "cases": "case",
    "rulings": "ruling",
    "disputes": "dispute",
    "examples": "example",
    "preconditions": PRECONDITION,
}
# Fields that people read and from which nothing is computed: of all nodes, and of some.
READ_BY_PEOPLE = frozenset({"cited", "cites", "denied", "prose", "reads", "title"})
PRINTED_FIELDS: Mapping[type, frozenset[str]] = {
    graph.Graph: frozenset(BOOK) - {"preconditions"},
    graph.Rule: frozenset({"relations", "case", "ruling", "reading"}),
    graph.Table: frozenset({"edition"}),
    graph.Counter: frozenset({"singled_out", "nicknames", "first", "added"}),
    graph.Aim: frozenset({"reason"}),
    graph.Procedure: frozenset({"instead_of", "account"}),
    graph.Flag: frozenset({"marker"}),
    graph.Requirement: frozenset({"why"}),
    graph.Scenario: frozenset({"gaps", "corrections", "other_corrections"}),
}


def printed_fields(kind: type) -> frozenset[str]:
    """Return the fields of a node class that people only read."""
    return READ_BY_PEOPLE | PRINTED_FIELDS.get(kind, frozenset())


@cache
def compared_fields(kind: type, *, printed: bool = True) -> "tuple[Field[Any], ...]":
    """Return the fields of a node class that graphs are compared by, with or without what people only read."""
    left_out = {ORIGIN, *ELSEWHERE.get(kind, ()), *(() if printed else printed_fields(kind))}
    return tuple(field for field in fields(kind) if field.name not in left_out)


def canonical_node(node: Any, *, printed: bool) -> Any:
    """Return a node without its origin, the fields at their defaults and, unless `printed`, what people only read."""
    if isinstance(node, tuple):
        return tuple(canonical_node(part, printed=printed) for part in node)
    if isinstance(node, dict):
        return tuple((name, canonical_node(part, printed=printed)) for name, part in sorted(node.items()))
    if not is_dataclass(node) or isinstance(node, type):
        return node
    values = [(field, getattr(node, field.name)) for field in compared_fields(type(node), printed=printed)]
    parts = [(f.name, canonical_node(value, printed=printed)) for f, value in values if value != f.default]
    return (type(node).__name__, *parts)
