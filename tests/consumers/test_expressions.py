"""Every class of expressions for the readers of its record: what it names, and its text.

The toys have each class (test_nodes.py), so each record is tested with the expressions of three games.
"""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Literal, get_args, get_origin, get_type_hints

from compiler.analysis.normal_form import canonical_order, normalize
from runtime.graph import nodes as graph
from runtime.graph.expressions import EXPRESSIONS, ExpressionRecord, symbols_of
from runtime.graph.free_names import bound_names
from runtime.graph.notation import NotationWriter
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from tests.consumers.test_nodes import EVERY, conditions_and_values, toys

# Texts that are no names of the game: a unit, a name that is bound, a part of a cell. An operator on pairs is written
# as the relation.
NO_NAMES = {("Num", "measure"), ("Fold", "var"), ("Cell", "kind"), ("Op", "op")}


def test_every_class_has_a_record() -> None:
    assert EXPRESSIONS.keys() == set(get_args(graph.Expr))


def test_no_field_of_a_record_has_a_default() -> None:
    """So mypy reports a field that is missing in a record."""
    assert [each.name for each in fields(ExpressionRecord) if each.default is not MISSING] == []


def names_in(node: object) -> Iterator[str]:
    """Yield the texts in the fields of a node that are not of a closed set."""
    for name, hint in get_type_hints(node.__class__).items():
        if get_origin(hint) is not Literal and (node.__class__.__name__, name) not in NO_NAMES:
            value = getattr(node, name)
            yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, str))


@EVERY
def test_an_expression_states_every_name_in_it(toy: str) -> None:
    for node in walk(toys()[toy]):
        if node.__class__ in EXPRESSIONS or isinstance(node, graph.Test):
            assert {*names_in(node)} - {""} <= {text for symbol in symbols_of(node) for text in symbol}, node


@EVERY
def test_expressions_with_equal_texts_are_equal(toy: str) -> None:
    """Proofs regard equal texts as one question."""
    rules, seen = toys()[toy], dict[tuple[str, graph.Type], graph.Expr]()
    writer = NotationWriter(rules.vocabulary.relations)
    for whole, names in conditions_and_values(toy):
        expr = normalize(whole, {})
        assert all(name.startswith("#") for name in bound_names(expr)), "number what it binds"
        assert canonical_order(seen.setdefault((writer.text(expr), type_of(whole, names, rules)), expr)) == (
            canonical_order(expr)
        )
