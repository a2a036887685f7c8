"""The sides of pieces, as the conditions on a path state them.

In: normalized conditions. Out: `u.side` and what it equals, so that facts about the track of that side, and writes to
the track of the player, are about one unknown.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from compiler.analysis.normal_form import normalize
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import map_children

# Expressions, by the equal expressions that they replace.
SideExpressions = Mapping[graph.Expr, graph.Expr]


def stated_sides(conditions: tuple[graph.Expr, ...]) -> SideExpressions:
    """Return the sides of pieces that conditions equate with the side on move, or with a name."""
    found: dict[graph.Expr, graph.Expr] = {}
    for condition in conditions:
        for part in _parts(condition):
            match part:
                case graph.Op("=", (graph.Get(_, "given", _, "side") as side_read, other)) if _is_name(other):
                    found.setdefault(side_read, other)
                case graph.Op("=", (other, graph.Get(_, "given", _, "side") as side_read)) if _is_name(other):
                    found.setdefault(side_read, other)
    return found


def substitute_equals(node: Any, known: SideExpressions) -> Any:
    """Return a node with expressions replaced by those that they are known to equal."""
    if not known:
        return node
    if isinstance(node, graph.Get) and node in known:
        return known[node]
    return map_children(node, lambda part: substitute_equals(part, known))


def _parts(condition: graph.Expr) -> Iterator[graph.Expr]:
    """Yield the conjuncts of a condition, and those that the set implies from which a member was chosen."""
    for part in conjuncts(condition):
        yield part
        match part:
            case graph.Op("in", (member, graph.Fold("gather", var, source, filter_condition, None))):
                filter_parts = () if filter_condition is None else (normalize(filter_condition, {var: member}),)
                yield from (
                    inner for each in (graph.Op("in", (member, source)), *filter_parts) for inner in _parts(each)
                )
            case _:
                pass


def _is_name(expr: graph.Expr) -> bool:
    return isinstance(expr, (graph.GameTrack, graph.Var))
