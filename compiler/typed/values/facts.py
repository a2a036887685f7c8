"""Facts that a condition establishes for everything to its right: a value is present, or is not zero.

`u has host and u.host is tired` is total because the first conjunct holds when the second is evaluated
(docs/language.md, 6). Facts are graph expressions themselves: `Has(...)`, `Is(cell ...)`, and `Op("!=", (x, 0))` for a
number that is not zero.
"""

from dataclasses import replace
from fractions import Fraction

from runtime.graph import nodes as graph

ZERO = "!="


def when_true(condition: graph.Expr) -> frozenset[graph.Expr]:
    """Return the facts that hold where the condition holds."""
    match condition:
        case graph.Op(op="and", arguments=parts):
            return frozenset().union(*(when_true(part) for part in parts))
        case graph.Op(op="not", arguments=(part,)):
            return when_false(part)
        case graph.Has(negated=False) | graph.Is(negated=False) | graph.Op(op="related"):
            return frozenset({condition})
        case graph.Op(op=">" | ">=" | "!=", arguments=(left, graph.Num(value=value))):
            positive = condition.op != ">=" or value > 0
            if positive and (condition.op != "!=" or value == 0) and value >= 0:
                return frozenset({nonzero_fact(left)})
            return frozenset()
        case _:
            return frozenset()


def when_false(condition: graph.Expr) -> frozenset[graph.Expr]:
    """Return the facts that hold where the condition fails."""
    match condition:
        case graph.Op(op="or", arguments=parts):
            return frozenset().union(*(when_false(part) for part in parts))
        case graph.Op(op="not", arguments=(part,)):
            return when_true(part)
        case graph.Has(negated=True) | graph.Is(negated=True):
            return frozenset({replace(condition, negated=False)})
        case graph.Op(op="=" | "<=", arguments=(left, graph.Num(value=value))) if value == 0:
            return frozenset({nonzero_fact(left)})
        case _:
            return frozenset()


def nonzero_fact(expression: graph.Expr) -> graph.Expr:
    """Return the fact that an amount is not zero."""
    return graph.Op(ZERO, (expression, graph.Num(Fraction(0), "")))
