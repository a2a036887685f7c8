"""An upper bound of the cost of a way to a hex that a search has found within a budget.

In: conditions of which one says that a hex is among those reachable within so much, and an expression that asks for the
cheapest cost from the same start, by the same steps at the same prices, to that hex. Out: that the one is at most the
other. Definitions on both sides are looked into; a set less another, and members that a condition picks, are among
those of the whole set.
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.laws import Laws
from compiler.analysis.normal_form import conjuncts
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def within_budget(laws: Laws, conditions: Iterable[graph.Expr], value: graph.Expr) -> Iterator[graph.Expr]:
    """List the bounds of costs that a value asks for, for conditions and a value in normal form."""
    found = [
        (part.arguments[0], search)
        for condition in conditions
        for part in conjuncts(condition)
        if isinstance(part, graph.Op) and part.op == "in"
        for search in _reached(laws, part.arguments[1])
    ]
    for asked in walk(value) if found else ():
        match _unfolded(laws, asked):
            case graph.Search("cheapest_cost", start, graph.SetOf(goals), gate, price, None):
                for member, search in found:
                    if member in goals and (search.start, search.gate, search.price) == (start, gate, price):
                        yield from (graph.Op("<=", (asked, end)) for end in _ends(search.most))
            case _:
                pass


def _reached(laws: Laws, source: graph.Expr) -> Iterator[graph.Search]:
    """List the searches among whose hexes all members of a set are."""
    match _unfolded(laws, source):
        case graph.Search("reachable", most=most) as search if most is not None:
            yield search
        case graph.Op("without", (whole, _)) | graph.Fold("gather", _, whole, _, None):
            yield from _reached(laws, whole)
        case _:
            pass


def _unfolded(laws: Laws, expr: object) -> object:
    """Take a question that is a definition for what defines it."""
    while isinstance(expr, graph.Ask) and (body := laws.expanded_term(expr)) is not None:
        expr = body
    return expr


def _ends(most: graph.Expr | None) -> Iterator[graph.Expr]:
    """List what a budget is at most: the least of several is at most each of them."""
    match most:
        case graph.Op("min", arguments):
            yield from arguments
        case None:
            pass
        case _:
            yield most
