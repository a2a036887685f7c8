"""The structural difference of two graphs lists whatever is altered in one of them."""

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.witness.structural_difference import ELSEWHERE, KINDS, ORIGIN, PRINTED, structural_difference

# Stacks that together have nearly every node of the language; the larger ones for what the smaller do not have.
STACKS = ("low_tide", "panzer_grenadier+pg_random_events", "panzer_leader")
TOY = Path(__file__).parents[1] / "constructs" / "toy"
FIELDS = [
    (kind.__name__, field.name)
    for kind in vars(graph).values()
    if isinstance(kind, type) and is_dataclass(kind)
    for field in fields(kind)
]


@cache
def stacks() -> tuple[graph.Graph, ...]:
    """Compile them; of what they have many of, a few will do."""
    package_set = open_packages((TOY,))
    found = [package_set.compiled(name).graph for name in STACKS]
    found.insert(
        1, package_set.compiled("panzer_leader", package_set.library.scenarios.get("bridge_at_millbrook")).graph
    )
    toy = package_set.compiled("constructs").graph  # Small, and the only one that searches.
    return (*(few(each) for each in found if each is not None), *([toy] if toy is not None else []))


def few(rules: graph.Graph) -> graph.Graph:
    """Keep the first members of each part of a graph."""
    parts = {name: getattr(rules, name) for name in ("rules", "terms", "tables", "counters", "cases", "rulings")}
    remaining = {name: dict(list(members.items())[:30]) for name, members in parts.items()}
    drawn = [each for each in rules.examples if any(isinstance(node, graph.Printed) for node in walk(each))]
    examples = (*rules.examples[:9], *drawn[:1])
    return replace(rules, examples=examples, **remaining)  # type: ignore[arg-type]  # by field


@cache
def places() -> dict[str, tuple[graph.Graph, str, Any]]:
    """Find one node of each class, outside of examples if there is one: the graph, its field, and the node."""
    found: dict[str, tuple[graph.Graph, str, Any]] = {}
    for rules in stacks():
        for name in sorted(vars_of(rules), key=lambda name: (name == "examples", name)):
            for node in walk(getattr(rules, name)):
                found.setdefault(type(node).__name__, (rules, name, node))
    return found | {"Graph": (stacks()[-1], "", stacks()[-1])}


def vars_of(node: Any) -> tuple[str, ...]:
    """Name the fields of a node."""
    return tuple(field.name for field in fields(node))


def other(value: Any) -> Any:
    """Take another value for the one that stands in a field."""
    match value:
        case bool():
            return not value
        case int() | Fraction():
            return value + 1
        case str():
            return f"{value}_otherwise"
        case tuple():
            return value[:-1] if value else ("otherwise",)
        case dict():
            return dict(list(value.items())[:-1]) if value else {"otherwise": "otherwise"}
        case None:
            return graph.Truth(value=True)
        case _:
            return graph.Truth(value=value != graph.Truth(value=True)) if is_dataclass(value) else value


def otherwise(node: Any, field: str, rules: graph.Graph) -> Any:
    """Take another value for a field, one that a graph could have there."""
    match node, field:
        case graph.Rule(defeats=()), "defeats":
            return (next(iter(rules.rules)),)
        case graph.Flag(what=what), "what":
            return "trait" if what != "trait" else "status"
        case graph.Kind(printed=printed), "first":
            return ((printed[0].name, graph.Truth(value=True)),)
        case graph.Counter(origin=origin), "added":
            return (graph.AddedValue("otherwise", (), origin),)
        case graph.Graph(vocabulary=words), "vocabulary":
            return replace(words, tracks={})
        case graph.TableRow(keys=keys), "keys":
            return (None, *keys[1:]) if keys[0] is not None else ((graph.Match(1, 1),), *keys[1:])
        case graph.Table(keys=keys), "keys":
            return (replace(keys[0], name="otherwise"), *keys[1:])
        case _:
            return other(getattr(node, field))


def altered(value: Any, node: Any, instead: Any) -> Any:
    """Put another node in the place of the first one that is this very node."""
    if value is node:
        return instead
    if not any(each is node for each in walk(value)):
        return value
    if isinstance(value, tuple):
        return tuple(altered(part, node, instead) for part in value)
    if isinstance(value, dict):
        return {name: altered(part, node, instead) for name, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: altered(part, node, instead) for name, part in parts.items()}
        is_unchanged = all(changed[name] is part for name, part in parts.items())
        return value if is_unchanged else replace(value, **changed)
    return value


@pytest.mark.parametrize("rules", range(len(STACKS)))
def test_a_graph_does_not_differ_from_itself(rules: int) -> None:
    assert structural_difference(stacks()[rules], stacks()[rules]) == ()


def test_whatever_is_altered_is_listed() -> None:
    for kind, field in FIELDS:
        if kind in places():
            is_listed(kind, field)
    assert {kind for kind, _ in FIELDS} - set(places()) <= {
        "AddedValue",
        "CellOf",
        "Correction",
        "End",
        "Given",
        "LetOnly",
        "Order",
        "PartCorrection",
        "Posted",
        "Station",
    }


def is_listed(kind: str, field: str) -> None:
    """Alter one field of one node, and compare."""
    rules, within, node = places()[kind]
    left_out = {ORIGIN, *ELSEWHERE.get(type(node), ())}
    instead = replace(node, **{field: otherwise(node, field, rules)})
    changed = instead if not within else replace(rules, **{within: altered(getattr(rules, within), node, instead)})
    found = structural_difference(rules, changed)
    assert {change.kind for change in found} <= set(KINDS)
    if field in left_out or isinstance(node, graph.Origin):
        assert found == ()
    else:
        assert found != ()
    if field in PRINTED.get(type(node), ()):
        assert {change.operation for change in found} == {"printed"}


def test_every_field_left_out_is_a_field() -> None:
    for table in (ELSEWHERE, PRINTED):
        for kind, names in table.items():
            assert names <= {field.name for field in fields(kind)}
