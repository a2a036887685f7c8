"""One total order of the members of all enumerations, as a set does not know the enumeration of its members."""

from itertools import pairwise


def word_ranks(orders: list[list[str]]) -> dict[str, int]:
    """Merge the declared orders of all enumerations into one, as a topological sort.

    Where two enumerations order the same members differently, the first by name prevails.
    """
    after: dict[str, list[str]] = {}
    for order in orders:
        for word in order:
            after.setdefault(word, [])
        for first, second in pairwise(order):
            if first not in reachable_words(second, after):
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


def reachable_words(start: str, after: dict[str, list[str]]) -> set[str]:
    """Return every member that has to follow `start`, including itself."""
    found = {start}
    todo = [start]
    while todo:
        for later in after.get(todo.pop(), ()):
            if later not in found:
                found.add(later)
                todo.append(later)
    return found
