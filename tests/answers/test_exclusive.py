"""Pairs of conditions that contradict each other, and similar pairs that do not."""

import pytest

from runtime.answer.exclusive import are_contradictory
from runtime.graph import nodes as graph

X, Y = graph.Var("x"), graph.Var("y")
RED, BLUE = graph.Member("color", "red"), graph.Member("color", "blue")
TALL, OLD = graph.Test("trait", "tree", "tall"), graph.Test("trait", "tree", "old")
TREE, STONE = graph.Test("kind", "", "tree"), graph.Test("kind", "", "stone")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (graph.Op("=", (X, RED)), graph.Op("=", (X, BLUE))),
        (graph.Op("=", (X, RED)), graph.Op("=", (BLUE, X))),
        (graph.Op("=", (X, RED)), graph.Op("in", (X, graph.SetOf((BLUE,))))),
        (graph.Op("=", (X, Y)), graph.Op("!=", (X, Y))),
        (graph.Op("<", (X, Y)), graph.Op(">=", (X, Y))),
        (graph.Op("not", (graph.Op("=", (X, Y)),)), graph.Op("=", (X, Y))),
        (graph.Is(X, (TALL,), negated=False), graph.Is(X, (TALL, OLD), negated=True)),
        (graph.Is(X, (TREE,), negated=False), graph.Is(X, (STONE,), negated=False)),
        (graph.Has(X, "track", "tree", "age", negated=False), graph.Has(X, "track", "tree", "age", negated=True)),
    ],
)
def test_a_contradiction_is_symmetric(one: graph.Expr, other: graph.Expr) -> None:
    assert are_contradictory(one, other)
    assert are_contradictory(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (graph.Op("=", (X, RED)), graph.Op("=", (Y, BLUE))),
        (graph.Op("=", (X, RED)), graph.Op("in", (X, graph.SetOf((BLUE, RED))))),
        (graph.Op("<=", (X, Y)), graph.Op(">=", (X, Y))),
        (graph.Is(X, (TALL, OLD), negated=False), graph.Is(X, (TALL,), negated=True)),
        (graph.Is(X, (TREE,), negated=False), graph.Is(X, (TREE, STONE), negated=False)),
        (graph.Is(X, (TALL,), negated=False), graph.Is(X, (OLD,), negated=False)),
    ],
)
def test_conditions_that_can_hold_together_are_no_contradiction(one: graph.Expr, other: graph.Expr) -> None:
    assert not are_contradictory(one, other)
    assert not are_contradictory(other, one)
