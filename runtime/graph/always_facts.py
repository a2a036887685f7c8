"""Invariants that a stack declares by `always`, and those among them that concern counters alone."""

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def printed_kinds(fact: graph.Always) -> tuple[str, ...]:
    """Return the kinds whose printed values alone determine an invariant; () if it depends on more."""
    match fact.condition:
        case graph.Fold("every" | "none", var, graph.Pieces(kinds, None), condition, body):
            parts = [part for part in (condition, body) if part is not None]
            return kinds if all(_printed(node, var) for part in parts for node in walk(part)) else ()
        case _:
            return ()


def _printed(node: object, var: str) -> bool:
    """Return whether a node itself reads only printed values of the counter, without its nested nodes."""
    match node:
        case graph.Var(name):
            return name == var
        case graph.Get(graph.Var(), "printed", _, _) | graph.Get(graph.Var(), "given", _, "kind" | "side"):
            return True
        case graph.Has(graph.Var(), "printed", _, _, _):
            return True
        case graph.Test(kind, _, _):
            return kind in {"trait", "kind"}
        case graph.Is(graph.Var(), _, _) | graph.Op() | graph.Num() | graph.Truth() | graph.Member() | graph.SetOf():
            return True
        case _:
            return False
