"""Decompose a set of links into trails."""

from collections.abc import Iterable, Iterator


def chains_of_links(links: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield trails that contain each link once, starting at nodes of odd degree if there are any, deterministically."""
    ways: dict[str, set[str]] = {}
    for a, b in links:
        ways.setdefault(a, set()).add(b)
        ways.setdefault(b, set()).add(a)
    while ways:
        start = min(ways, key=lambda node: (len(ways[node]) % 2 == 0, node))
        trail = [start]
        while trail[-1] in ways:
            here = trail[-1]
            there = min(ways[here])
            _cut(ways, here, there)
            _cut(ways, there, here)
            trail.append(there)
        yield tuple(trail)


def _cut(ways: dict[str, set[str]], here: str, there: str) -> None:
    """Remove a link, and a node that has no links left."""
    ways[here].discard(there)
    if not ways[here]:
        del ways[here]
