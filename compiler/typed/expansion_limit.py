"""Limits on the size of named expressions: each name may use the previous one twice.

In: names with their values, in order of definition. Out: the first that is too large or too deep once all names before
it are substituted. Proofs and explanations substitute names, so both are bounded.
"""

from collections.abc import Iterable
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.walk import children

# Named expressions of printed rules have some dozens of parts, and three levels of names.
EXPANDED_PARTS, LONGEST_NAME_CHAIN = 10_000, 100
TOO_LARGE = (
    "`{}` is too large when its names are expanded "
    f"(more than {EXPANDED_PARTS:,} parts, or {LONGEST_NAME_CHAIN} levels)"
)
ADVICE = "make a part of it a question of its own, with `define`"


def overgrown_name(names: Iterable[tuple[str, graph.Expr]]) -> str | None:
    """Return the first name whose expansion is too large; None if there is none."""
    known: dict[str, tuple[int, int]] = {}
    for name, value in names:
        size, depth = known[name] = _measured(value, known)
        if size > EXPANDED_PARTS or depth > LONGEST_NAME_CHAIN:
            return name
    return None


def _measured(part: Any, known: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """Return the number of nodes of an expression, and its depth, with names substituted."""
    if isinstance(part, graph.Var):
        return known.get(part.name, (1, 1))
    found = [_measured(each, known) for each in children(part)]
    own_size = int(bool(found) and not isinstance(part, tuple))
    return own_size + sum(size for size, _ in found), own_size + max((depth for _, depth in found), default=0)
