"""Places on a scale: which expressions certainly lie between the first and the last named one."""

from collections.abc import Collection

from runtime.graph import nodes as graph


def is_on_scale(expression: graph.Expr, named: Collection[str]) -> bool:
    """Return whether an expression certainly has a value between the first and the last named place of its scale.

    `named` are names with such values.
    """
    match expression:
        case graph.Place() | graph.Op("clamp"):
            return True
        case graph.Var(name=name):
            return name in named
        case graph.Op("if", (_, yes, no)):
            return is_on_scale(yes, named) and is_on_scale(no, named)
        case graph.Op("min" | "max", parts):
            return all(is_on_scale(part, named) for part in parts)
        case graph.Fold("min" | "max" | "least" | "greatest" as op, var, source, _, body, default):
            known = {*named, var} if are_on_scale(source, named) else {*named} - {var}
            member = body if op in {"min", "max"} else graph.Var(var)
            ends = default is None or is_on_scale(default, named)
            return ends and member is not None and is_on_scale(member, known)
        case _:
            return False


def are_on_scale(source: graph.Expr, named: Collection[str]) -> bool:
    """Return whether all members of a collection certainly are such places."""
    match source:
        case graph.All(graph.Scale()):
            return True
        case graph.SetOf(elements):
            return all(is_on_scale(element, named) for element in elements)
        case graph.Fold("gather", _, inner, _, None):
            return are_on_scale(inner, named)
        case _:
            return False
