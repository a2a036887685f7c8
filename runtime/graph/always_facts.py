"""Facts that a stack declares as `always` so, and which of them speak of nothing but counters."""

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def printed_of(fact: graph.Always) -> tuple[str, ...]:
    """List the kinds whose counters alone decide a fact, none if more does: said of each, of what is printed on it."""
    match fact.condition:
        case graph.Fold("every" | "none", var, graph.Pieces(kinds, None), where, body):
            parts = [part for part in (where, body) if part is not None]
            return kinds if all(_printed(node, var) for part in parts for node in walk(part)) else ()
        case _:
            return ()


def _printed(node: object, var: str) -> bool:
    """Return whether a node asks only for what a counter tells; the fields of nodes are nodes of their own."""
    match node:
        case graph.Var(name):
            return name == var
        case graph.Get(graph.Var(), "printed", _, _) | graph.Get(graph.Var(), "given", _, "kind" | "side"):
            return True
        case graph.Has(graph.Var(), "printed", _, _, _):
            return True
        case graph.Test(what, _, _):
            return what in {"trait", "kind"}
        case graph.Is(graph.Var(), _, _) | graph.Op() | graph.Num() | graph.Truth() | graph.Member() | graph.SetOf():
            return True
        case _:
            return False
