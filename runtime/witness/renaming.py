"""Detect renamed rules and charts: the first of two graphs, rewritten to the labels of the second.

The input is two graphs; the output is the first one, with each renamed part under its name in the second, and the list
of renamings; the remaining differences are those of meaning. A part is renamed if only the first graph has the old
name, only the second the new one, both are equal without the name, and no other removed or added part is. Labels occur
in no position and in no question. What is renamed otherwise (a word, a question, an action) is one part less and one
more.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.grouping import group_by
from runtime.witness.structural_difference import canonical_node

Scope = Mapping[type, frozenset[str]]
# The fields that hold the names of charts, and the labels of rules: rules are compared with the charts that they read.
SCOPES: Mapping[str, Scope] = {
    "chart": {
        graph.Graph: frozenset({"tables"}),
        graph.Table: frozenset({"name"}),
        graph.Cell: frozenset({"table"}),
    },
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
}


@dataclass(frozen=True, slots=True)
class NameChange:
    """The renaming of one part; `kind`, `old` and `new` as in `NodeChange`."""

    kind: str
    old: str
    new: str


def with_names_of(a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, tuple[NameChange, ...]]:
    """Return the first graph with the names that the second has for the same parts, and the renamings."""
    renamings: list[NameChange] = []
    for kind, scope in SCOPES.items():
        names = _new_names(_parts(a, kind), _parts(b, kind))
        a = _renamed(a, names, scope) if names else a
        renamings += (NameChange(kind, old, new) for old, new in names.items())
    return a, tuple(renamings)


def _parts(rules: graph.Graph, kind: str) -> dict[str, Any]:
    """Return the parts of a kind by their names, each without its name and what people only read."""
    nodes: dict[str, Any]
    if kind == "chart":
        nodes = {name: replace(table, name="") for name, table in rules.tables.items()}
    else:
        nodes = {label: _law(rule) for label, rule in rules.rules.items()}
    return {name: repr(canonical_node(node, printed=False)) for name, node in nodes.items()}


def _law(rule: graph.Rule) -> tuple[Any, ...]:
    """Return what a rule says; one without a conclusion is known by the rules that it overrules."""
    targets = () if rule.verb else (rule.defeats, rule.relations)
    return rule.terms, rule.verb, rule.value, rule.names, rule.guard, *targets


def _new_names(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
    """Match the parts of one graph only by what they say, where just one on either side says it."""
    removed = group_by(first.keys() - second.keys(), lambda name: first[name])
    added = group_by(second.keys() - first.keys(), lambda name: second[name])
    shared = [law for law in removed if len(removed[law]) == len(added.get(law, ())) == 1]
    return dict(sorted((removed[law][0], added[law][0]) for law in shared))


def _renamed(node: Any, names: Mapping[str, str], scope: Scope, *, is_name: bool = False) -> Any:
    """Return a node with new names in the fields of a scope."""
    if isinstance(node, str):
        return names.get(node, node) if is_name else node
    if isinstance(node, tuple):
        return tuple(_renamed(part, names, scope, is_name=is_name) for part in node)
    if isinstance(node, dict):
        return {
            _renamed(key, names, scope, is_name=is_name): _renamed(part, names, scope) for key, part in node.items()
        }
    if not is_dataclass(node) or isinstance(node, type):
        return node
    scoped = scope.get(type(node), frozenset())
    parts = {
        field.name: _renamed(getattr(node, field.name), names, scope, is_name=field.name in scoped)
        for field in fields(node)
    }
    return replace(node, **parts)
