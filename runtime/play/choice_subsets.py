"""Enumeration of the sets or orders of a choice of several members.

In: the members, those chosen already, and the admitted sizes. Out: sets or orders that extend the chosen members,
likely ones first, as their number is exponential.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

from runtime.graph import nodes as graph
from runtime.graph.operators import span
from runtime.state.record import Value

Values = tuple[Value, ...]

# The sets or orders tried for one choice: all sets of eight members; of more, first those that decide
# monotone conditions, then the smaller ones up to this number.
TRIES = 300


def members_after(found: Values, chosen: Values) -> Values:
    """Return the members after the last chosen one, so that every set is generated once."""
    return found[found.index(chosen[-1]) + 1 :] if chosen else found


def remaining_members(found: Values, chosen: Values) -> Values:
    """Return the members that are not chosen yet."""
    return tuple(member for member in found if member not in chosen)


def allowed_sizes(step: graph.Choose, evaluate: Callable[[graph.Expr], Value]) -> range | None:
    """Return how many members a choice takes; None where nothing is said of it."""
    if step.least is None or step.most is None:
        return None
    return span(max(0, evaluate(step.least)), evaluate(step.most))


def candidate_subsets(mode: str, found: Values, chosen: Values, sizes: range | None) -> Iterator[Values]:
    """Yield sets or orders of these sizes that extend the chosen members, likely ones first; orders take all members.

    Small sets come first, then growing ones up to all members, so that conditions which are monotone in the set are
    decided early. A condition that only certain mixtures of many members satisfy can be missed; the choice is then not
    offered.
    """
    if sizes is not None:
        more = remaining_members(found, chosen) if mode == "order" else members_after(found, chosen)
        arrangements = permutations if mode == "order" else combinations
        for size in (size - len(chosen) for size in sizes if size >= len(chosen)):
            yield from ((*chosen, *some) for some in arrangements(more, size))
        return
    if mode == "order":
        yield from ((*chosen, *order) for order in permutations(remaining_members(found, chosen)))
        return
    more = members_after(found, chosen)
    yield from ((*chosen, *more[:size]) for size in range(len(more) + 1))
    yield from ((*chosen, member) for member in more[1:])
    for size in range(2, len(more)):
        yield from ((*chosen, *some) for some in combinations(more, size))
