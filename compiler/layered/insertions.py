"""Two insertions at one place: stages of a term, phases of the sequence.

In: what the chosen layers declare, and which layer stands on or above which. Out: a problem for every two
insertions whose order nothing decides. Where one layer stands above the other, the higher one comes nearer to
the anchor; where neither does, only the order of reading could decide, and that must not mean anything.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import TypeVar

from compiler.layered import nodes as layered
from compiler.layered.catalog import Catalog
from compiler.layered.problems import InsertedTwice, Problem
from compiler.source import nodes as source

N = TypeVar("N")

INSERTED = (source.Stage, source.Insert)
# What is inserted, in which layer: the name of the newcomer, and what it stands before or after.
Insertion = tuple[str, source.Word, source.Word]


def check_insertions(catalog: Catalog, below: Mapping[str, frozenset[str]]) -> list[Problem]:
    """Report every two insertions that meet."""
    places: dict[tuple[str, ...], list[Insertion]] = {}
    for place, insertion in (*_stages(catalog), *_phases(catalog)):
        places.setdefault(place, []).append(insertion)
    problems: list[Problem] = []
    for found in places.values():
        for (one, first, _), (other, second, anchor) in combinations(found, 2):
            stands = one != other and (one in below.get(other, ()) or other in below.get(one, ()))
            if not stands:
                problems.append(InsertedTwice(second.span, first.span, second.text, first.text, anchor.text))
    return problems


def anchors_first(parts: Iterable[layered.LayerStatement[N]]) -> tuple[layered.LayerStatement[N], ...]:
    """Put what is inserted next to another insertion behind that one, wherever the two were read."""
    parts = tuple(parts)
    anchors = {name: anchor for part in parts for name, anchor in _inserted(part.node)}
    if not anchors:
        return parts

    depths: dict[tuple[str, str], int] = {}  # How many insertions one leans on, itself among them.
    for name in anchors:
        way: dict[tuple[str, str], None] = {}
        here = name
        while here in anchors and here not in depths and here not in way:  # A circle ends where it began.
            way[here] = None
            here = anchors[here]
        depths.update((each, number) for number, each in enumerate(reversed(way), depths.get(here, 0) + 1))

    def depth(part: layered.LayerStatement[N]) -> int:
        """Count the insertions that one leans on."""
        return max((depths.get(anchor, 0) for _, anchor in _inserted(part.node)), default=0)

    return tuple(sorted(parts, key=depth))


def _inserted(node: object) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield what a node inserts next to what, each in its term or the sequence."""
    match node:
        case source.Stage(term=term, name=name, after=after):
            yield (term.text, name.text), (term.text, after.text)
        case source.Insert(phase=phase, anchor=anchor):
            yield ("", phase.name.text), ("", anchor.text)
        case _:
            pass


def _stages(catalog: Catalog) -> Iterator[tuple[tuple[str, ...], Insertion]]:
    for part in catalog.kinds.get(source.Stage, ()):
        node = part.node
        yield ("stage", node.term.text, node.after.text), (part.layer, node.name, node.after)


def _phases(catalog: Catalog) -> Iterator[tuple[tuple[str, ...], Insertion]]:
    for part in catalog.kinds.get(source.Insert, ()):
        node = part.node
        yield ("phase", node.order, node.anchor.text), (part.layer, node.phase.name, node.anchor)
