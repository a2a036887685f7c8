"""Upper bounds of path costs, from searches within a budget that have reached a hex.

In: conditions, one of which states that a hex is among those reachable within a budget, and an expression for the
cheapest cost from the same start, by the same gate and price, to that hex. Out: the inequality of the two. Definitions
on both sides are expanded; a set difference, and the members that a filter selects, are subsets of the whole set.
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.laws import Laws
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import walk


def within_budget(laws: Laws, conditions: Iterable[graph.Expr], value: graph.Expr) -> Iterator[graph.Expr]:
    """List the bounds of costs that occur in a value, for conditions and a value in normal form."""
    found = [
        (part.arguments[0], search)
        for condition in conditions
        for part in conjuncts(condition)
        if isinstance(part, graph.Op) and part.op == "in"
        for search in _reached(laws, part.arguments[1])
    ]
    for node in walk(value) if found else ():
        match _unfolded(laws, node):
            case graph.Search("cheapest_cost", start, graph.SetOf(goals), gate, price, None):
                for member, search in found:
                    if member in goals and (search.start, search.gate, search.price) == (start, gate, price):
                        yield from (graph.Op("<=", (node, end)) for end in _ends(search.most))
            case _:
                pass


def _reached(laws: Laws, source: graph.Expr) -> Iterator[graph.Search]:
    """List the searches whose results include all members of a set."""
    match _unfolded(laws, source):
        case graph.Search("reachable", most=most) as search if most is not None:
            yield search
        case graph.Op("without", (superset, _)) | graph.Fold("gather", _, superset, _, None):
            yield from _reached(laws, superset)
        case _:
            pass


def _unfolded(laws: Laws, expr: object) -> object:
    """Return the definition of a question, repeatedly, or the expression itself."""
    while isinstance(expr, graph.Ask) and (body := laws.expanded_term(expr)) is not None:
        expr = body
    return expr


def _ends(most: graph.Expr | None) -> Iterator[graph.Expr]:
    """List the upper bounds of a budget: a minimum is at most each of its arguments."""
    match most:
        case graph.Op("min", arguments):
            yield from arguments
        case None:
            pass
        case _:
            yield most
