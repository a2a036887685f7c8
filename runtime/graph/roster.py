"""The pieces of a force by name: of each counter as many as the force counts or places, whichever is more.

The name of a piece consists of its counter, the number of the force on the card, and its own (`guard-2.3`), unless the
card names it.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph


def list_roster(force: graph.Force, number: int) -> Iterator[tuple[str, str]]:
    """Yield counter and name of every piece; placed ones first."""
    named: dict[str, list[str]] = {counter: [""] * count for counter, count in force.units}
    counts: dict[str, int] = {}
    for each in force.placed:
        place = counts[each.counter] = counts.get(each.counter, -1) + 1
        names = named.setdefault(each.counter, [])
        names[place : place + 1] = [each.name]
    for counter, names in named.items():
        for copy, name in enumerate(names, 1):
            yield counter, name or f"{counter}-{number + 1}.{copy}"
