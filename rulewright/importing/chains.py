"""Lay links end to end into long trails."""

from collections.abc import Iterable, Iterator


def chains_of_links(links: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Walk every link once, beginning where only one leads on; the same links give the same trails."""
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
    """Take a link away; a node without links is gone."""
    ways[here].discard(there)
    if not ways[here]:
        del ways[here]
