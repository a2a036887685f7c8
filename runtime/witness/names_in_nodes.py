"""Names in the nodes of a graph: their replacement and their set, within the fields that hold names of one kind."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import BINDING
from runtime.witness.structural_difference import PRINTED_FIELDS

Scope = Mapping[type, frozenset[str]]
# The fields that hold labels and names of a kind; names of other kinds may occur in any field that is not prose.
SCOPES: Mapping[str, Scope] = {
    "rule": {
        graph.Graph: frozenset({"rules"}),
        graph.Rule: frozenset({"label", "defeats", "relations"}),
        graph.Term: frozenset({"rules"}),
        graph.Ruling: frozenset({"rules", "clarifies"}),
        graph.Reading: frozenset({"rules"}),
        graph.Check: frozenset({"by", "because"}),
        graph.Refusal: frozenset({"by", "because"}),
        graph.Example: frozenset({"protects"}),
    },
    "chart": {
        graph.Graph: frozenset({"tables"}),
        graph.Table: frozenset({"name"}),
        graph.Cell: frozenset({"table"}),
    },
    "question": {
        graph.Graph: frozenset({"terms", "outcome"}),
        graph.Term: frozenset({"name"}),
        graph.Rule: frozenset({"terms"}),
        graph.Ask: frozenset({"term"}),
        graph.Given: frozenset({"term"}),
    },
    "procedure": {
        graph.Graph: frozenset({"procedures"}),
        graph.Procedure: frozenset({"name", "behind"}),
        graph.Offer: frozenset({"actions"}),
        graph.Do: frozenset({"resolution"}),
        graph.Perform: frozenset({"action"}),
        graph.Begin: frozenset({"action"}),
        graph.Precondition: frozenset({"exempt"}),
        graph.Station: frozenset({"name"}),
        graph.Rule: frozenset({"relations"}),
        graph.Ruling: frozenset({"concerns"}),
    },
}  # fmt: skip
NOT_NAMES = re.compile(r"[\s{}]")
NAME_SEPARATOR = re.compile(r"[.:#\[\], ]")


def rename_in_node(node: Any, change: Callable[[str], str], scope: Scope | None, *, named: bool = False) -> Any:
    """Return a renamed node; a scope limits the fields that are renamed, and unchanged parts are shared."""
    if isinstance(node, str):
        return change(node) if named else node
    if isinstance(node, tuple):
        parts = tuple(rename_in_node(part, change, scope, named=named) for part in node)
        return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts
    if isinstance(node, dict):
        entries = {
            (change(key) if named and isinstance(key, str) else key): rename_in_node(
                part, change, scope, named=named and not is_dataclass(part)
            )
            for key, part in node.items()
        }
        same = all(key is old and entries[key] is node[old] for key, old in zip(entries, node, strict=True))
        return node if same else entries
    if not is_dataclass(node) or isinstance(node, type):
        return node
    fresh = {}
    for name, applies in _named_fields(type(node), frozenset(scope.items()) if scope is not None else None):
        old = getattr(node, name)
        new = rename_in_node(old, change, scope, named=applies)
        if new is not old:
            fresh[name] = new
    return replace(node, **fresh) if fresh else node


@cache
def _named_fields(kind: type, scope: frozenset[tuple[type, frozenset[str]]] | None) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a node, each with whether it holds names that a scope covers."""
    left_out = {"origin", "origins", "stack", "hash"}
    scope_fields = None if scope is None else dict(scope).get(kind, frozenset())
    # Prose is unchanged, and bound names are local to their rule or procedure.
    plain = {*PRINTED_FIELDS.get(kind, ()), BINDING.get(kind, "")}
    names = (field.name for field in fields(kind) if field.name not in left_out)
    return tuple((name, name not in plain if scope_fields is None else name in scope_fields) for name in names)


def word_replacer(words: Mapping[str, str]) -> Callable[[str], str]:
    """Build the function that replaces words in a name."""

    @cache
    def change(name: str) -> str:
        if NOT_NAMES.search(name):
            return name
        parts = re.split(r"([.:#])", name)
        new_parts = [words.get(part, part) for part in parts]
        return name if new_parts == parts else "".join(new_parts)

    return change


def names_in(node: Any, scope: Scope | None = None) -> set[str]:
    """Return the components of all names in a node."""
    found: set[str] = set()

    def add_name(name: str) -> str:
        if not NOT_NAMES.search(name):
            found.update(NAME_SEPARATOR.split(name))
        return name

    rename_in_node(node, add_name, scope)
    return found
