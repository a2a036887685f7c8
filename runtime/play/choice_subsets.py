"""Which sets or orders to try for a choice of several, and how many members one takes.

In: what a choice is made from, what is chosen of it already, and how many it takes. Out: sets or orders that begin so,
the likely ones first. Most sets are many more than anybody could try.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

from runtime.graph import nodes as graph
from runtime.graph.operators import span
from runtime.state.record import Value

Values = tuple[Value, ...]

# Sets or orders tried for one choice: all sets of eight members; of more, first those that settle
# conditions which grow or shrink with a set (`trials`), then the smaller ones as far as this goes.
TRIES = 300


def members_after(found: Values, chosen: Values) -> Values:
    """List the members after the last chosen one: every set is built in one way only."""
    return found[found.index(chosen[-1]) + 1 :] if chosen else found


def remaining_members(found: Values, chosen: Values) -> Values:
    """List the members that are not in an order yet."""
    return tuple(member for member in found if member not in chosen)


def allowed_sizes(step: graph.Choose, evaluate: Callable[[graph.Expr], Value]) -> range | None:
    """Return how many members a choice takes; None where nothing is said of it."""
    if step.least is None or step.most is None:
        return None
    return span(max(0, evaluate(step.least)), evaluate(step.most))


def candidate_subsets(how: str, found: Values, chosen: Values, sizes: range | None = None) -> Iterator[Values]:
    """List sets or orders of these sizes that begin as chosen, the likely ones first; an order is one of all members.

    What is legal for few members is met at once, what needs many is met on the way to all of them,
    and what every single member spoils is met with the single ones. Only a condition that wants
    just the right mixture of many can be missed, and the choice is then not offered.
    """
    if sizes is not None:
        more = remaining_members(found, chosen) if how == "order" else members_after(found, chosen)
        ways = permutations if how == "order" else combinations
        for size in (size - len(chosen) for size in sizes if size >= len(chosen)):
            yield from ((*chosen, *some) for some in ways(more, size))
        return
    if how == "order":
        yield from ((*chosen, *order) for order in permutations(remaining_members(found, chosen)))
        return
    more = members_after(found, chosen)
    yield from ((*chosen, *more[:size]) for size in range(len(more) + 1))
    yield from ((*chosen, member) for member in more[1:])
    for size in range(2, len(more)):
        yield from ((*chosen, *some) for some in combinations(more, size))
