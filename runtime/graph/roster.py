"""The pieces of a force by name: as many of a counter as it counts or places, whichever is more.

A piece goes by its counter, the force's number on the card and its own (`guard-2.3`), unless the card names it.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph


def list_roster(force: graph.Force, number: int) -> Iterator[tuple[str, str]]:
    """List counter and name of every piece; those that are placed come first."""
    named: dict[str, list[str]] = {counter: [""] * count for counter, count in force.units}
    posted: dict[str, int] = {}
    for each in force.placed:
        place = posted[each.counter] = posted.get(each.counter, -1) + 1
        names = named.setdefault(each.counter, [])
        names[place : place + 1] = [each.name]
    for counter, names in named.items():
        for copy, name in enumerate(names, 1):
            yield counter, name or f"{counter}-{number + 1}.{copy}"
