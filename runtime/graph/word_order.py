"""One total order of the members of all enumerations, as a set does not know the enumeration of its members."""

from itertools import pairwise

from runtime.graph.closure import transitive_closure


def word_ranks(orders: list[list[str]]) -> dict[str, int]:
    """Return the rank of each member in one order of all enumerations, a topological sort of their declared orders.

    Where two enumerations order the same members differently, the first by name prevails.
    """
    after: dict[str, list[str]] = {}
    for order in orders:
        for word in order:
            after.setdefault(word, [])
        for first, second in pairwise(order):
            if first not in transitive_closure((second,), lambda word: after.get(word, ())):
                after[first].append(second)
    line: list[str] = []
    visited: set[str] = set()

    def place(word: str) -> None:
        if word not in visited:
            visited.add(word)
            for later in reversed(after[word]):
                place(later)
            line.append(word)

    for word in reversed(after):
        place(word)
    return {word: position for position, word in enumerate(reversed(line))}
