"""Conditions as conjunctions of their parts."""

from collections.abc import Iterable

from runtime.graph import nodes as graph


def conjuncts(condition: graph.Expr | None) -> tuple[graph.Expr, ...]:
    """Return the conjuncts of a condition, with nested `and` flattened; empty for None."""
    match condition:
        case None:
            return ()
        case graph.Op("and", parts):
            return tuple(inner for part in parts for inner in conjuncts(part))
        case _:
            return (condition,)


def conjunction(parts: Iterable[graph.Expr]) -> graph.Expr | None:
    """Return the conjunction of conditions; None if there are none."""
    conditions = tuple(parts)
    return graph.Op("and", conditions) if len(conditions) > 1 else conditions[0] if conditions else None
