"""Rounding on a scale: the next place that has a name, as a pass over all of them.

`round_down(odds(5/2))` is written out so, since an operator knows numbers alone and not which places a scale names.
Writers look for it to say it as it was written.
"""

from runtime.graph import nodes as graph

# Authors cannot write this name.
PLACE = graph.Var("_")


def rounded_place(inner: graph.Expr, scale: graph.Scale, *, down: bool) -> graph.Expr:
    """Return the next named place at or below, or at or above; beyond the last one in that direction it stays."""
    within = graph.Op("<=" if down else ">=", (PLACE, inner))
    return graph.Fold("max" if down else "min", PLACE.name, graph.All(scale), within, PLACE, inner)


def scale_rounding(expr: graph.Expr) -> tuple[bool, graph.Expr, graph.Scale] | None:
    """Return whether a pass rounds down, what it rounds and on which scale; None of any other expression."""
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
