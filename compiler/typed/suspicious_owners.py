"""Counters whose side is probably an error, as all rows around theirs, or all others of that name, are of another side.

In: the counters of a stack as layered. Out: suspects, by counter. A row with separate citations is taken as intended.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from compiler.layered import nodes as layered
from compiler.typed.counters import side_of
from compiler.typed.problems import SuspectedOwner

# The number of rows before and behind a counter, and of others with a word of its name, that have to agree.
NEIGHBORING_ROWS, NAMESAKES = 4, 4


def suspected_owners(counters: Mapping[str, layered.Counter]) -> dict[str, SuspectedOwner]:
    """Return the counters whose side is probably an error."""
    owned = {name: sides[0] for name, counter in counters.items() if len(sides := side_of(counter)) == 1}
    charts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted(owned, key=lambda each: (counters[each].node.span.line, counters[each].node.span.column)):
        charts[counters[name].kind.text, counters[name].node.span.file].append(name)
    usual = {name: side for rows in charts.values() for name, side in _by_place(rows, owned)}
    usual |= dict(_by_name(owned))
    return {
        name: SuspectedOwner(counters[name].node.id.span, name, owned[name], side)
        for name, side in usual.items()
        if not counters[name].singled_out
    }


def _by_place(rows: list[str], owned: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Find rows whose neighbors in the chart are all of a single other side."""
    for index in range(NEIGHBORING_ROWS, len(rows) - NEIGHBORING_ROWS):
        neighbor_sides = {
            owned[name]
            for name in (*rows[index - NEIGHBORING_ROWS : index], *rows[index + 1 : index + 1 + NEIGHBORING_ROWS])
        }
        if len(neighbor_sides) == 1 and owned[rows[index]] not in neighbor_sides:
            yield rows[index], neighbor_sides.pop()


def _by_name(owned: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Find the only counter of its side with a word in its name that all others with it have on another side."""
    bearers: dict[str, list[str]] = defaultdict(list)
    for name in owned:
        for word in set(name.split("_")):
            bearers[word].append(name)
    for names in bearers.values():
        sides = Counter(owned[name] for name in names)
        for name in names:
            others = {side: count for side, count in sides.items() if side != owned[name]}
            if sides[owned[name]] == 1 and len(others) == 1 and max(others.values()) >= NAMESAKES:
                yield name, next(iter(others))
