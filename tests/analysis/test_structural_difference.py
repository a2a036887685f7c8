"""The structural difference of two graphs lists an altered field of any node."""

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.graph.printed_fields import BOOK, ELSEWHERE, ORIGIN, PRINTED_FIELDS, printed_fields
from runtime.graph.walk import walk
from runtime.witness.structural_difference import (
    HOOK_ORDER,
    WORDY,
    structural_difference,
)
from tests.sample import sampled

# Stacks that together have nearly every class of node; the larger ones supply those that the smaller lack.
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
    """Compile the stacks, reduced to a few members of each part."""
    package_set = open_packages((TOY,))
    found = [package_set.compiled(name).graph for name in STACKS]
    found.insert(
        1, package_set.compiled("panzer_leader", package_set.library.scenarios.get("bridge_at_millbrook")).graph
    )
    toy = package_set.compiled("constructs").graph  # It is small, and the only one with path searches.
    assert toy is not None
    aimed = replace(toy, aims=(graph.Aim(next(iter(toy.terms)), replaces_outcome=False, reason=""),))
    return (*(few(each) for each in found if each is not None), aimed)


def few(rules: graph.Graph) -> graph.Graph:
    """Return a graph with the first members of each part."""
    parts = {name: getattr(rules, name) for name in ("rules", "terms", "tables", "counters", "cases", "rulings")}
    remaining = {name: dict(list(members.items())[:30]) for name, members in parts.items()}
    drawn = [each for each in rules.examples if any(isinstance(node, graph.Printed) for node in walk(each))]
    examples = (*rules.examples[:9], *drawn[:1])
    return replace(rules, examples=examples, **remaining)  # type: ignore[arg-type]  # by field


@cache
def places() -> dict[str, tuple[graph.Graph, str, Any]]:
    """Return by class one node of the stacks, with its graph and the field it is in, preferably not an example."""
    found: dict[str, tuple[graph.Graph, str, Any]] = {}
    for rules in stacks():
        for name in sorted(field_names(rules), key=lambda name: (name == "examples", name)):
            for node in walk(getattr(rules, name)):
                found.setdefault(type(node).__name__, (rules, name, node))
    return found | {"Graph": (stacks()[-1], "", stacks()[-1])}


def field_names(node: Any) -> tuple[str, ...]:
    """Name the fields of a node."""
    return tuple(field.name for field in fields(node))


def different_value(value: Any) -> Any:
    """Return a value that differs from a given one."""
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


def different_field_value(node: Any, field: str, rules: graph.Graph) -> Any:
    """Return a different value for a field, of the type that the field has in a graph."""
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
        case graph.Graph(), "aims":
            return (graph.Aim("otherwise", replaces_outcome=False, reason=""),)
        case graph.TableRow(keys=keys), "keys":
            return (None, *keys[1:]) if keys[0] is not None else ((graph.Match(1, 1),), *keys[1:])
        case graph.Table(keys=keys), "keys":
            return (replace(keys[0], name="otherwise"), *keys[1:])
        case _:
            return different_value(getattr(node, field))


def with_node(value: Any, node: Any, instead: Any) -> Any:
    """Return a value in which another node replaces a given one, found by identity."""
    if value is node:
        return instead
    if not any(each is node for each in walk(value)):
        return value
    if isinstance(value, tuple):
        return tuple(with_node(part, node, instead) for part in value)
    if isinstance(value, dict):
        return {name: with_node(part, node, instead) for name, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: with_node(part, node, instead) for name, part in parts.items()}
        is_unchanged = all(changed[name] is part for name, part in parts.items())
        return value if is_unchanged else replace(value, **changed)
    return value


@pytest.mark.parametrize("rules", range(len(STACKS)))
def test_a_graph_does_not_differ_from_itself(rules: int) -> None:
    assert structural_difference(stacks()[rules], stacks()[rules]) == ()


@sampled(0)
def test_an_altered_field_of_any_node_is_listed() -> None:
    for kind, field in FIELDS:
        if kind in places():
            assert_is_listed(kind, field)
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


# The kinds of the things that change.
CHANGE_KINDS = {
    *"rule question cell chart counter factor procedure measure always outcome aim card wording".split(),
    HOOK_ORDER,
    *WORDY,
    *BOOK.values(),
}


def assert_is_listed(kind: str, field: str) -> None:
    """Alter one field of one node, and assert that the difference lists it, or that the field is exempt."""
    rules, within, node = places()[kind]
    left_out = {ORIGIN, *ELSEWHERE.get(type(node), ())}
    instead = replace(node, **{field: different_field_value(node, field, rules)})
    changed = instead if not within else replace(rules, **{within: with_node(getattr(rules, within), node, instead)})
    found = structural_difference(rules, changed)
    assert {change.kind for change in found} <= CHANGE_KINDS
    if field in left_out or isinstance(node, graph.Origin):
        assert found == ()
    else:
        assert found != ()
    if field in printed_fields(type(node)):
        assert {change.operation for change in found} == {"printed"}


def test_every_exempt_field_exists() -> None:
    for table in (ELSEWHERE, PRINTED_FIELDS):
        for kind, names in table.items():
            assert names <= {field.name for field in fields(kind)}
