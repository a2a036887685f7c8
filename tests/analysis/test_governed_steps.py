"""Conditions that certainly hold at a step: comparisons of constants, and guards of its access path."""

import pytest

from bench.compiling import compile_afresh
from compiler.analysis.access_paths import SymbolicPath
from compiler.analysis.governed_steps import certainly_holds
from compiler.analysis.normal_form import normalize
from runtime.graph import nodes as graph
from tests.sample import sampled
from tests.toys.build import num, op

WHO = graph.Var("who")
BARE = SymbolicPath((), (), (), (), frozenset(), frozenset(), bindings=())
RED, BLUE = graph.Member("side", "red"), graph.Member("side", "blue")


def holds(condition: graph.Expr, *guards: graph.Expr) -> bool:
    path = BARE
    for guard in guards:
        path = path.with_guard(guard)
    return certainly_holds(normalize(condition, {}), path, {}, compile_afresh("low_tide"))


@sampled(2)
@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (op("=", RED, RED), True),
        (op("=", RED, BLUE), False),
        (op("!=", RED, BLUE), True),
        (op("!=", RED, RED), False),
        (op("!=", num(1), num(2)), True),
        (op("!=", num(1), num(1)), False),
        (op("!=", WHO, RED), False),
    ],
)
def test_comparisons_of_constants_are_decided(condition: graph.Expr, found: bool) -> None:
    assert holds(condition) is found


def test_a_guard_holds_after_it_and_another_condition_does_not() -> None:
    other = op("!=", WHO, RED)
    assert holds(other, other)
    assert not holds(op("!=", WHO, BLUE), other)
