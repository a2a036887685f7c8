"""Decompose a set of links into trails."""

from collections.abc import Iterable, Iterator


def chains_of_links(links: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield trails that contain each link once, starting at nodes of odd degree if there are any, deterministically."""
    neighbors: dict[str, set[str]] = {}
    for a, b in links:
        neighbors.setdefault(a, set()).add(b)
        neighbors.setdefault(b, set()).add(a)
    while neighbors:
        start = min(neighbors, key=lambda node: (len(neighbors[node]) % 2 == 0, node))
        chain = [start]
        while chain[-1] in neighbors:
            last = chain[-1]
            neighbor = min(neighbors[last])
            _cut(neighbors, last, neighbor)
            _cut(neighbors, neighbor, last)
            chain.append(neighbor)
        yield tuple(chain)


def _cut(neighbors: dict[str, set[str]], node: str, neighbor: str) -> None:
    """Remove a link, and a node that has no links left."""
    neighbors[node].discard(neighbor)
    if not neighbors[node]:
        del neighbors[node]
