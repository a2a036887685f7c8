"""Free variables of expressions, and substitution."""

from collections.abc import Mapping
from typing import Any

from runtime.graph.nodes.expressions import Fold, Var
from runtime.graph.walk import LEAVES, children, map_children, walk


def _binding_of(node: Any) -> tuple[str, tuple[Any, ...], tuple[Any, ...]] | None:
    """Return the name that an expression binds, its parts in which the name is bound, and its other parts."""
    match node:
        case Fold():
            return node.var, (node.where, node.body), (node.source, node.otherwise)
        case _:
            return None


def free_names(expr: Any) -> set[str]:
    """Return the free variables of an expression."""
    found: set[str] = set()
    todo: list[tuple[Any, frozenset[str]]] = [(expr, frozenset())]
    while todo:
        node, bound = todo.pop()
        if isinstance(node, Var):
            found.update({node.name} - bound)
        elif binding := _binding_of(node):
            name, inside, outside = binding
            todo += [(inside, bound | {name}), (outside, bound)]
        else:
            todo += [(part, bound) for part in children(node) if part.__class__ not in LEAVES]
    return found


def variables_in(nodes: Any) -> set[str]:
    """Return the names of all variables in expressions, free or bound."""
    return {node.name for node in walk(nodes) if isinstance(node, Var)}


def substitute(expr: Any, bindings: Mapping[str, Any]) -> Any:
    """Return an expression with expressions in place of free names.

    No aggregate inside may bind a free variable of theirs (`bound_names`).
    """
    if isinstance(expr, Var):
        return bindings.get(expr.name, expr)
    return map_children(expr, lambda part: substitute(part, bindings))


def bound_names(expr: Any) -> set[str]:
    """Return the names that expressions inside an expression bind."""
    return {binding[0] for node in walk(expr) if (binding := _binding_of(node))}
