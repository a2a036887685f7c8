"""Make two graphs comparable: terms for the flags that only one has rules on, rows of charts divided alike, names.

A graph has a term for a flag only if some rule is about it. What is printed or marked can be queried in every stack
that declares the word, so the other one answers with what is printed. Where a layer changed one cell of a row for
several values of a key, the other graph's row is divided likewise, so that only the changed cell differs; the parts
that kept their content have the origin of the row.

A rule or chart is renamed if only the first graph has the old name, only the second the new one, both are equal without
the name, and no other removed or added part is. Labels occur in no position and in no question. What is renamed
otherwise (a word, a question, an action) is one part less and one more.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by
from runtime.graph.members import members_of
from runtime.graph.printed_fields import canonical_node


def with_flags_of(rules: graph.Graph, other: graph.Graph) -> graph.Graph:
    """Add a term without rules for each flag that only another graph has rules on."""
    more = {
        name: replace(term, rules=())
        for name, term in other.terms.items()
        if term.form == "flag" and name not in rules.terms and name in rules.vocabulary.flags
    }
    if not more:
        return rules
    hashed = hashlib.sha256(" ".join((rules.hash, *sorted(more))).encode()).hexdigest()
    return replace(rules, terms={**rules.terms, **more}, hash=hashed)


def values_of(type_: graph.Type, stack: graph.Graph) -> list[graph.Expr] | None:
    """Return the values of a type, None if they cannot be enumerated."""
    words = stack.vocabulary
    match type_:
        case graph.YesNo():
            return [graph.Truth(value=False), graph.Truth(value=True)]
        case graph.Enum(name) if name in words.enums:
            return [graph.Member(name, word) for word in members_of(words, name)]
        case graph.Scale(name):
            return [graph.Place(name, *place) for place in words.scales[name].places]
        case graph.Number(int(low), int(high), measure):
            return [graph.Num(Fraction(value), measure) for value in range(low, high + 1)]
        case _:
            return None


def with_rows_split_alike(a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, graph.Graph]:
    """Return both graphs, the rows of each divided as the other one divides them."""
    return _split(a, b), _split(b, a)


def _split(rules: graph.Graph, other: graph.Graph) -> graph.Graph:
    changed: dict[str, graph.Table] = {}
    for name, table in rules.tables.items():
        counterpart = other.tables.get(name)
        if counterpart is None or len(counterpart.keys) != len(table.keys):  # Games may share a name only.
            continue
        rows = tuple(part for row in table.rows for part in _parts(row, counterpart.rows))
        if rows != table.rows:
            changed[name] = replace(table, rows=rows)
    return replace(rules, tables={**rules.tables, **changed}) if changed else rules


def _parts(row: graph.TableRow, others: Sequence[graph.TableRow]) -> tuple[graph.TableRow, ...]:
    """Return a row in the parts of which one still has its origin; the row itself unless these cover all of it."""
    parts = [other for other in others if _covers(row, other)]
    is_divided = all(other.keys != row.keys for other in others) and any(part.origin == row.origin for part in parts)
    if not is_divided or sum(map(_size, parts)) != _size(row):
        return (row,)
    return tuple(replace(row, keys=part.keys) for part in parts)


def _covers(row: graph.TableRow, part: graph.TableRow) -> bool:
    """Return whether a row accepts all that another one accepts; one that accepts anything has no parts."""
    for whole, pieces in zip(row.keys, part.keys, strict=True):
        if whole != pieces and (whole is None or pieces is None or not _contains_all(whole, pieces)):
            return False
    return True


def _contains_all(whole: Sequence[graph.Match], pieces: Sequence[graph.Match]) -> bool:
    return all(any(_contains(match, piece) for match in whole) for piece in pieces)


def _contains(match: graph.Match, part: graph.Match) -> bool:
    ends = (match.low, part.low, part.high, match.high)
    numbers = [end for end in ends if isinstance(end, int | Fraction)]
    return match == part if len(numbers) < len(ends) else numbers == sorted(numbers)


def _size(row: graph.TableRow) -> int:
    """Return how many combinations of values a row accepts; a key that accepts anything counts once."""
    return prod(sum(map(_count, matches)) for matches in row.keys if matches is not None)


def _count(match: graph.Match) -> int:
    if isinstance(match.low, int | Fraction) and isinstance(match.high, int | Fraction):
        return int(match.high - match.low) + 1
    return 1


# ---------------------------------------------------------------------- names

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


@frozen_dataclass
class _NameChange:
    """The renaming of one part; `kind`, `old` and `new` as in `NodeChange`."""

    kind: str
    old: str
    new: str


def with_names_of(a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, tuple[_NameChange, ...]]:
    """Return the first graph with the names that the second has for the same parts, and the renamings."""
    renamings: list[_NameChange] = []
    for kind, scope in SCOPES.items():
        names = _new_names(_laws_alone(a, b, kind), _laws_alone(b, a, kind))
        a = _renamed(a, names, scope) if names else a
        renamings += (_NameChange(kind, old, new) for old, new in names.items())
    return a, tuple(renamings)


def _laws_alone(rules: graph.Graph, other: graph.Graph, kind: str) -> dict[str, str]:
    """Return what the parts say whose names another graph lacks, without their names and what people only read."""
    nodes: dict[str, Any] = {label: _law(rule) for label, rule in rules.rules.items() if label not in other.rules}
    if kind == "chart":
        nodes = {name: replace(table, name="") for name, table in rules.tables.items() if name not in other.tables}
    return {name: repr(canonical_node(node, printed=False)) for name, node in nodes.items()}


def _law(rule: graph.Rule) -> tuple[Any, ...]:
    """Return what a rule says; one without a conclusion is known by the rules that it overrules."""
    targets = () if rule.verb else (rule.defeats, rule.relations)
    return rule.terms, rule.verb, rule.value, rule.names, rule.guard, *targets


def _new_names(removed: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """Match the parts of one graph only by what they say, where just one on either side says it."""
    removed_names, added_names = group_by(removed, removed.__getitem__), group_by(added, added.__getitem__)
    renamings = {}
    for law, old_names in removed_names.items():
        new_names = added_names.get(law, ())
        if len(old_names) == len(new_names) == 1:
            renamings[old_names[0]] = new_names[0]
    return renamings


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
