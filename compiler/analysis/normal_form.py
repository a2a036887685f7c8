"""Normalization of expressions, so that equivalent expressions are often equal.

In: an expression and the values of its names. Out: an equivalent expression with names substituted, binders numbered by
depth (de Bruijn levels), `some`, `none` and `every` as comparisons of counts, one word after each `is`, no negated
tests, adjacency and ranges as comparisons of a distance, and the two hexes of a distance in one order. A hex in
`neighbors` is adjacent; an adjacent hex may not be among them, where a connection is one-way.

Substituted arguments contain no named binder (they are numbered already), so nothing is captured.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjunction, conjuncts
from runtime.graph.operators import OPERATORS
from runtime.graph.walk import map_children

# Adjacency is a distance of one hex.
NEXT = graph.Num(Fraction(1), "hexes")
ZERO_AMOUNT, ONE = graph.Num(Fraction(0), ""), graph.Num(Fraction(1), "")

Names = Mapping[str, graph.Expr]


def normalize(expr: graph.Expr, names: Names, depth: int = 0) -> graph.Expr:
    """Normalize an expression that is nested in `depth` binders."""

    def normalize_part(part: Any) -> Any:
        return map_children(part, normalize_part) if isinstance(part, tuple) else normalize(part, names, depth)

    match expr:
        case graph.Var(name):
            return names.get(name, expr)
        case graph.Op(op, arguments):
            return _op(op, tuple(normalize_part(argument) for argument in arguments))
        case graph.Is(subject, tests, negated):
            return _is(normalize_part(subject), tests, negated=negated)
        case graph.Has(subject, field_kind, owner, name, True):
            return graph.Op("not", (graph.Has(normalize_part(subject), field_kind, owner, name, negated=False),))
        case graph.Fold():
            return _fold(expr, names, depth)
        case _:
            return map_children(expr, normalize_part)


def is_empty(collection: graph.Expr) -> bool:
    """Return whether a collection certainly has no member in any position."""
    match collection:
        case graph.SetOf(elements):
            return not elements
        case graph.Op("span", (graph.Num(low), graph.Num(high))):
            return low > high
        case graph.Fold("gather" | "trailing" | "leading", _, source, filter_condition):
            return is_empty(source) or filter_condition == graph.Truth(value=False)
        case graph.Op("union", parts):
            return all(is_empty(part) for part in parts)
        case graph.Op("without", (left, right)):
            return is_empty(left) or left == right
        case _:
            return False


def with_names(rule: graph.Rule, names: Names) -> Names:
    """Return the names with those that a rule binds, each normalized under the previous ones."""
    return normalized_names(rule.names, names)


def normalized_names(
    bindings: Iterable[tuple[str, graph.Expr]], names: Names = MappingProxyType({})
) -> dict[str, graph.Expr]:
    """Return the names with more of them, each normalized under the previous ones."""
    known = dict(names)
    for name, value in bindings:
        known[name] = normalize(value, known)
    return known


def canonical_order(expr: Any) -> Any:
    """Sort the operands of commutative operators in a normalized expression, so that their order is irrelevant."""
    match map_children(expr, canonical_order):
        case graph.Op(op, arguments) if OPERATORS[op].commutes:
            return graph.Op(op, tuple(sorted(arguments, key=repr)))
        case graph.SetOf(elements):
            return graph.SetOf(tuple(sorted(elements, key=repr)))
        case sorted_expr:
            return sorted_expr


def _op(op: str, arguments: tuple[graph.Expr, ...]) -> graph.Expr:
    match op, arguments:
        case "not", (graph.Op("not", (inner,)),):
            return inner
        case "!=", _:
            return graph.Op("not", (graph.Op("=", arguments),))
        case "adjacent", _:
            return graph.Op("=", (_op("distance", arguments), NEXT))
        case "distance", (left, right) if left == right:
            return graph.Num(Fraction(0), "hexes")
        case "distance" | "between", (left, right):
            return graph.Op(op, (left, right) if repr(left) <= repr(right) else (right, left))
        case "in", (member, graph.Op("within", (h, far))):
            return graph.Op("<=", (_op("distance", (h, member)), far))
        case "and" | "or", _:
            flat = (part.arguments if isinstance(part, graph.Op) and part.op == op else (part,) for part in arguments)
            return graph.Op(op, tuple(inner for part in flat for inner in part))
        case _:
            return graph.Op(op, arguments)


def _is(subject: graph.Expr, tests: tuple[graph.Test, ...], *, negated: bool) -> graph.Expr:
    single = tuple(graph.Is(subject, (test,), negated=False) for test in tests)
    either = single[0] if len(single) == 1 else graph.Op("or", single)
    return graph.Op("not", (either,)) if negated else either


def _fold(fold: graph.Fold, names: Names, depth: int) -> graph.Expr:
    """Number the binder, and express `some`, `none` and `every` by counts."""
    var = f"#{depth}"
    inner = {**names, fold.var: graph.Var(var)}
    source = normalize(fold.source, names, depth)
    filter_condition, body, default = (
        None if part is None else normalize(part, scope, level)
        for part, scope, level in (
            (fold.where, inner, depth + 1),
            (fold.body, inner, depth + 1),
            (fold.otherwise, names, depth),
        )
    )

    def count_where(condition: graph.Expr | None) -> graph.Expr:
        if is_empty(source) or condition == graph.Truth(value=False):
            return ZERO_AMOUNT
        return graph.Fold("count", var, source, condition, None, None)

    match fold.op:
        case "some":
            return graph.Op(">=", (count_where(conjunction((*conjuncts(filter_condition), *conjuncts(body)))), ONE))
        case "none":
            return graph.Op(
                "=", (count_where(conjunction((*conjuncts(filter_condition), *conjuncts(body)))), ZERO_AMOUNT)
            )
        case "every" if body is not None:
            return graph.Op(
                "=", (count_where(conjunction((*conjuncts(filter_condition), _op("not", (body,))))), ZERO_AMOUNT)
            )
        case "count":
            return count_where(filter_condition)
        case "gather" if is_empty(source):
            return graph.SetOf(())
        case _:
            return graph.Fold(fold.op, var, source, filter_condition, body, default)
