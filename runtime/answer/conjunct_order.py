"""Reordering of conjuncts: cheap conditions first, where that preserves the meaning.

In: conditions in written order. Out: the same, first those that are cheap and total. Order matters in one way only
(docs/language.md, 6): a condition may be defined only where those to its left hold. So only conditions that are
defined in every state move; the others keep their order.
"""

from collections.abc import Collection, Iterable

from runtime.graph import nodes as graph
from runtime.graph.operators import COMPARISONS


def cheap_first(
    parts: Iterable[graph.Expr], ruled_flags: Collection[str], in_play: Collection[str]
) -> list[graph.Expr]:
    """Return the conditions, cheap ones first. `ruled_flags`: flags with rules; `in_play`: pieces on the map."""
    return sorted(parts, key=lambda part: not is_cheap(part, ruled_flags, in_play))


def is_cheap(expr: graph.Expr, ruled_flags: Collection[str], in_play: Collection[str]) -> bool:
    """Return whether a condition is cheap, and defined in every position."""
    match expr:
        case graph.Op("not" | "and" | "or", parts):
            return all(is_cheap(part, ruled_flags, in_play) for part in parts)
        case graph.Op("in", (member, graph.SetOf(members))):
            return all(map(is_atomic, (member, *members)))
        case graph.Op("in", (member, graph.Get(graph.Var(), "partners"))):
            return is_atomic(member)
        case graph.Fold("some" | "none", name, graph.Pieces(_, space), condition, None) if (
            space is not None and is_atomic(space)
        ):
            return condition is None or is_cheap(condition, ruled_flags, {*in_play, name})
        case graph.Op("adjacent", (graph.Get(graph.Var(name), "given", _, "hex"), other)):
            return name in in_play and is_atomic(other)
        case graph.Op(op, parts) if op in COMPARISONS:
            return all(map(is_atomic, parts))
        case graph.Is(graph.Var(), tests, _):
            return all(
                f"{test.owner}.{test.name}" not in ruled_flags and test.what not in ("cell", "feature")
                for test in tests
            )
        case graph.Has(graph.Var(), "partner", _, _, _) | graph.Truth():
            return True
        case _:
            return False


def is_atomic(expr: graph.Expr) -> bool:
    """Return whether an expression is a name, a literal, or the place, side or kind of a piece."""
    match expr:
        case graph.Var() | graph.Num() | graph.Truth() | graph.Member() | graph.Place():
            return True
        case graph.Get(graph.Var(), "given", _, "hex" | "side" | "kind" | "place"):
            return True
        case _:
            return False
