"""Free variables of expressions, and substitution."""

from collections.abc import Mapping
from typing import Any

from runtime.graph.nodes.expressions import Fold, Var
from runtime.graph.walk import LEAVES, fields_of, walk


def free_names(expr: Any) -> set[str]:
    """Return the free variables of an expression."""
    found: set[str] = set()
    todo: list[tuple[Any, frozenset[str]]] = [(expr, frozenset())]
    while todo:
        here, bound = todo.pop()
        if isinstance(here, Var):
            found.update({here.name} - bound)
        elif isinstance(here, tuple):
            todo += [(part, bound) for part in here]
        elif isinstance(here, Fold):
            todo += [(here.source, bound), (here.otherwise, bound)]
            todo.append(((here.where, here.body), bound | {here.var}))
        else:
            parts = (getattr(here, name) for name in fields_of(here.__class__))
            todo += [(part, bound) for part in parts if part.__class__ not in LEAVES]
    return found


def substitute(expr: Any, given: Mapping[str, Any]) -> Any:
    """Substitute expressions for names. No aggregate inside may bind a free variable of theirs (`bound_names`)."""
    if isinstance(expr, Var):
        return given.get(expr.name, expr)
    if isinstance(expr, tuple):
        return tuple(substitute(part, given) for part in expr)
    names = fields_of(expr.__class__)
    return expr.__class__(*(substitute(getattr(expr, name), given) for name in names)) if names else expr


def bound_names(expr: Any) -> set[str]:
    """Return the names that aggregates inside an expression bind."""
    return {node.var for node in walk(expr) if isinstance(node, Fold)}
