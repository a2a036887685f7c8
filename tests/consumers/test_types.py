"""The derived types of expressions (runtime/graph/type_of.py) equal the declared ones.

Nodes do not carry types: the graph of the largest game would be 27 % longer and take 30 % longer to read (1.0 of 3.7
MB, 0.4 of 1.3 s of CPU), while the types of its 29,621 expressions are derived in 0.1 s. So types are derived in one
place, which is compared here with every declaration: parameters, keys, fields, answers.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from compiler.typed.environment import is_assignable
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import fields_of
from runtime.mutation.expression_mutants import type_without_bounds
from tests.consumers.test_nodes import TOYS, toys

Typed = tuple[graph.Expr, graph.Type, dict[str, graph.Type]]


def stated(rules: graph.Graph) -> Iterator[Typed]:
    """Yield expressions of rules with a declared type, and the types of the names in scope."""
    for rule in rules.rules.values():
        terms = [rules.terms[name] for name in rule.terms]
        names = {part.name: part.type for term in terms for part in term.parameters}
        for name, value in rule.names:
            yield from inside(value, names, rules)
            names = {**names, name: type_of(value, names, rules)}
        if rule.guard is not None:
            yield rule.guard, graph.YesNo(), names
            yield from inside(rule.guard, names, rules)
        if rule.value is not None:
            yield rule.value, terms[0].type, names
            yield from inside(rule.value, names, rules)


def inside(expr: Any, names: dict[str, graph.Type], rules: graph.Graph) -> Iterator[Typed]:
    """Yield the parts of an expression with a declared type, and the types of the names in scope."""
    match expr:
        case graph.Ask(term, arguments):
            yield from (
                (each, part.type, names) for each, part in zip(arguments, rules.terms[term].parameters, strict=True)
            )
        case graph.Cell(table, keys):
            yield from ((each, part.type, names) for each, part in zip(keys, rules.tables[table].keys, strict=True))
        case graph.New(record, fields):
            types = {part.name: part.type for part in rules.vocabulary.records[record].fields}
            yield from ((value, types[name], names) for name, value in fields)
        case graph.Op("and" | "or" | "not", arguments):
            yield from ((each, graph.YesNo(), names) for each in arguments)
        case graph.Fold(where=where) if where is not None:
            bound = {**names, expr.var: member_of(type_of(expr.source, names, rules))}
            yield where, graph.YesNo(), bound
        case _:
            pass
    parts = expr if isinstance(expr, tuple) else [getattr(expr, name) for name in fields_of(expr.__class__)]
    around = names
    if isinstance(expr, graph.Fold):
        around = {**names, expr.var: member_of(type_of(expr.source, names, rules))}
    for part in parts:
        if isinstance(part, tuple | graph.Expr):
            yield from inside(part, around, rules)


@pytest.mark.parametrize("toy", TOYS)
def test_derived_types_equal_the_declared_ones(toy: str) -> None:
    rules, seen = toys()[toy], 0
    for expr, wanted, names in stated(rules):
        if expr in (graph.FROM, graph.TO):
            continue
        found = type_without_bounds(type_of(expr, names, rules))
        assert found == graph.Nothing() or is_assignable(found, type_without_bounds(wanted)), expr
        seen += found != graph.Nothing()
    assert seen > 20
