"""Proofs by arithmetic know the value of every operator on given numbers.

A term that analysis/arithmetic/exact.py does not translate becomes an unknown with any value, and a proof is lost
silently. So the value of the interpreter must be possible, and every other value impossible: for the operator alone,
within another amount, of products, and as a definition.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from compiler.analysis.arithmetic.exact import ExactTranslator
from compiler.analysis.arithmetic.solver import is_installed, solve_exactly
from compiler.analysis.laws import laws_of
from compiler.analysis.normal_form import normalize
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from tests.consumers.test_operators import drawn, gives, sample
from tests.sample import sampled
from tests.toys.bogged import bog
from tests.toys.build import ask, num, op, params, rule, term

NUMBERS = (graph.Number, graph.Scale)
NUMERIC = [
    name
    for name in OPERATORS
    if isinstance(gives(name), NUMBERS)
    and all(isinstance(each, (*NUMBERS, graph.YesNo)) for each in sample(name)[1].values())
]
# It stays an unknown: its denominator is not constant.
OPAQUE = {"/"}
BEYOND = 10_000  # It exceeds every value of an operator.
SAMPLES = 6


def squared(expr: graph.Expr, types: dict[str, graph.Type]) -> graph.Expr:
    """Replace each number by its square."""
    match expr:
        case graph.Var(name) if isinstance(types[name], NUMBERS):
            return op("*", expr, expr)
        case graph.Op("/", (number, graph.Num() as denominator)):
            return op("/", squared(number, types), denominator)
        case graph.Op(_, arguments):
            return replace(expr, arguments=tuple(squared(each, types) for each in arguments))
        case _:
            return expr


def defined(expr: graph.Expr, types: dict[str, graph.Type], kind: graph.Type) -> graph.Graph:
    """Return the small game with a definition of `worth` by one rule."""
    worth = term("value", "worth", kind, params(**types), rules=("by-worth",))
    by = rule("by-worth", "worth", "is", expr)
    return replace(bog(), terms={**bog().terms, "worth": worth}, rules={**bog().rules, "by-worth": by}, hash="worth")


WAYS: dict[str, Callable[[graph.Expr, dict[str, graph.Type]], graph.Expr]] = {
    "alone": lambda expr, _: expr,
    "in another amount": lambda expr, _: op("min", expr, num(BEYOND)),
    "of products": lambda expr, types: op("min", squared(expr, types), num(BEYOND)),
    "as a definition": lambda _, types: op("+", ask("worth", *types), op("min", ask("worth", *types), num(BEYOND))),
}


@sampled(5)
@pytest.mark.skipif(not is_installed(), reason="z3 is not installed")
@pytest.mark.parametrize("construct", WAYS)
@pytest.mark.parametrize("name", NUMERIC)
def test_the_solver_knows_the_value_of_an_operator(name: str, construct: str) -> None:
    inner, types = sample(name)
    expr, rules = WAYS[construct](inner, types), defined(inner, types, gives(name))
    interpreter = Interpreter(rules)
    for state, given in drawn(name)[:SAMPLES]:
        names = dict(zip(types, given, strict=True))
        value = Fraction(interpreter.evaluate(state, expr, names))
        translator = ExactTranslator(laws_of(rules), types)
        known = [op("=", each, number) for each, number in names.items()]
        compared = op("=", expr, num(value))
        formulas = {
            wanted: [translator.translate_expression(normalize(each, {})) for each in (*known, wanted)]
            for wanted in (compared, op("not", compared))
        }
        possible = [solve_exactly(translator.space, *each) is not None for each in formulas.values()]
        missing = f"`{name}` has any value in proofs by arithmetic: add its case to {ExactTranslator.__module__}"
        assert possible == [True, name in OPAQUE], (missing, names)
