"""Rounding to the named places of a scale, desugared to an aggregate over them.

`round_down(odds(5/2))` is desugared, as operators work on numbers and do not know the places of a scale. Printers
recognize the expansion and print the call.
"""

from runtime.graph import nodes as graph

# A name that is no identifier of the language.
SCALE_VARIABLE = graph.Var("_")


def rounded_place(inner: graph.Expr, scale: graph.Scale, *, down: bool) -> graph.Expr:
    """Return the expression of the next named place at or below, or at or above; beyond the last the value itself."""
    within = graph.Op("<=" if down else ">=", (SCALE_VARIABLE, inner))
    return graph.Fold("max" if down else "min", SCALE_VARIABLE.name, graph.All(scale), within, SCALE_VARIABLE, inner)


def scale_rounding(expr: graph.Expr) -> tuple[bool, graph.Expr, graph.Scale] | None:
    """Return direction (True: down), operand and scale of an expanded rounding; None for any other expression."""
    match expr:
        case graph.Fold(source=graph.All(graph.Scale() as scale)) if (call := rounding_of(expr)) is not None:
            return call.op == "round_down", call.arguments[0], scale
        case _:
            return None


def rounding_of(fold: graph.Fold) -> graph.Op | None:
    """Return `round_down` or `round_up` if a fold over a scale is the expansion of it, else None."""
    match fold:
        case graph.Fold("max", "_", graph.All(graph.Scale()), graph.Op("<=", (_, low)), graph.Var("_"), inner):
            return graph.Op("round_down", (low,)) if low == inner else None
        case graph.Fold("min", "_", graph.All(graph.Scale()), graph.Op(">=", (_, high)), graph.Var("_"), inner):
            return graph.Op("round_up", (high,)) if high == inner else None
        case _:
            return None
