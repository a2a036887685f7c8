"""Invariants that a stack declares by `always`, and those among them that concern counters alone."""

from runtime.graph import nodes as graph
from runtime.graph.expressions import Symbol, symbols_in
from runtime.graph.free_names import bound_names
from runtime.graph.identity_memo import memoized_by_identity


# Each example and each position of a search is compared with the facts.
@memoized_by_identity()
def facts_of_positions(rules: graph.Graph) -> tuple[graph.Always, ...]:
    """Return the invariants that a position of counters may break: `check` tests the others on the charts."""
    return tuple(fact for fact in rules.always if not printed_kinds(fact))


def printed_kinds(fact: graph.Always) -> tuple[str, ...]:
    """Return the kinds whose printed values alone determine an invariant; () if it depends on more."""
    match fact.condition:
        case graph.Fold("every" | "none", var, graph.Pieces(kinds, None), condition, body):
            parts = (condition, body)
            is_printed = not bound_names(parts) and all(_is_printed(symbol, var) for symbol in symbols_in(parts))
            return kinds if is_printed else ()
        case _:
            return ()


def _is_printed(symbol: Symbol, var: str) -> bool:
    """Return whether what a symbol stands for is printed on the counter, or the same in every position."""
    match symbol:
        case ("local", _, name):
            return name == var
        case ("given", _, name):
            return name in ("kind", "side")
        case (namespace, _, _):
            return namespace in ("printed", "trait", "kind", "member", "function")
