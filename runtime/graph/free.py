"""Which names an expression takes from around it: those it uses and does not bind itself."""

from collections.abc import Mapping
from typing import Any

from runtime.graph.nodes.expressions import Fold, Var
from runtime.graph.walk import fields_of, walk


def free(expr: Any) -> set[str]:
    """Collect the names that an expression uses but does not bind."""
    if isinstance(expr, Var):
        return {expr.name}
    if isinstance(expr, tuple):
        return set().union(*(free(part) for part in expr))
    if isinstance(expr, Fold):
        inner = free((expr.where, expr.body)) - {expr.var}
        return inner | free((expr.source, expr.otherwise))
    return set().union(*(free(getattr(expr, name)) for name in fields_of(expr.__class__)))


def filled(expr: Any, given: Mapping[str, Any]) -> Any:
    """Put expressions in the place of names. No pass inside may bind a name that they use (`binds`)."""
    if isinstance(expr, Var):
        return given.get(expr.name, expr)
    if isinstance(expr, tuple):
        return tuple(filled(part, given) for part in expr)
    names = fields_of(expr.__class__)
    return expr.__class__(*(filled(getattr(expr, name), given) for name in names)) if names else expr


def binds(expr: Any) -> set[str]:
    """Collect the names that passes inside an expression bind."""
    return {node.var for node in walk(expr) if isinstance(node, Fold)}
