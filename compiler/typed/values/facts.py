"""Facts that a condition establishes for everything to its right: a value is present, is not zero, has members.

`u has host and u.host is tired` is total because the first conjunct holds when the second is evaluated
(docs/language.md, 6). Facts are graph expressions themselves: `Has(...)`, `Is(cell ...)`, `Op("!=", (x, 0))` for a
number that is not zero, and `Fold("some", ..)` over `MEMBER_FACT` for a set with a member.
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import substitute

ZERO = "!="
# The name of a member in the fact that there is one; no author can write it.
MEMBER_FACT = "#member"


def when_true(condition: graph.Expr) -> frozenset[graph.Expr]:
    """Return the facts that hold where the condition holds."""
    match condition:
        case graph.Op(op="and", arguments=parts):
            return frozenset().union(*(when_true(part) for part in parts))
        case graph.Op(op="not", arguments=(part,)):
            return when_false(part)
        case graph.Has(negated=False) | graph.Is(negated=False) | graph.Op(op="related"):
            return frozenset({condition})
        case graph.Fold("some", variable, collection, where, None):
            return frozenset({_member_fact(variable, collection, where)})
        case graph.Op(">" | ">=", (graph.Fold("count", variable, collection, where, None), graph.Num(value=value))) if (
            value > 0 or (condition.op == ">" and value == 0)
        ):
            return frozenset({_member_fact(variable, collection, where)})
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
        case graph.Fold("none", variable, collection, where, None):
            return frozenset({_member_fact(variable, collection, where)})
        case graph.Has(negated=True) | graph.Is(negated=True):
            return frozenset({replace(condition, negated=False)})
        case graph.Op(op="=" | "<=", arguments=(left, graph.Num(value=value))) if value == 0:
            return frozenset({nonzero_fact(left)})
        case _:
            return frozenset()


def nonzero_fact(expression: graph.Expr) -> graph.Expr:
    """Return the fact that an amount is not zero."""
    return graph.Op(ZERO, (expression, graph.Num(Fraction(0), "")))


def _member_fact(variable: str, collection: graph.Expr, where: graph.Expr | None) -> graph.Fold:
    """Return the fact that some member of a collection meets a condition."""
    renamed: graph.Expr | None = substitute(where, {variable: graph.Var(MEMBER_FACT)})
    return graph.Fold("some", MEMBER_FACT, collection, renamed, None, None)


def has_member(known: Iterable[graph.Expr], variable: str, collection: graph.Expr, where: graph.Expr | None) -> bool:
    """Return whether facts establish that some member of a collection meets a condition, or more than that."""
    wanted = _member_fact(variable, collection, where)
    return any(
        isinstance(each, graph.Fold)
        and each.source == wanted.source
        and set(conjuncts(wanted.where)) <= set(conjuncts(each.where))
        for each in known
    )


def without_members(known: frozenset[graph.Expr]) -> frozenset[graph.Expr]:
    """Return the facts that a change of the position leaves: none about the members of sets."""
    return frozenset(each for each in known if not isinstance(each, graph.Fold))
