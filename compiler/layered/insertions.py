"""Check pairs of insertions at one place: stages of a term, phases of the sequence.

The input is the declarations of the chosen layers, and which layer is based on or above which; the output is a problem
for each pair of insertions without a defined order. Where one layer is above the other, the higher one is inserted
nearer to the anchor; otherwise only the order of reading could decide, which must not have an effect.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import TypeVar

from compiler.layered import nodes as layered
from compiler.layered.catalog import Catalog
from compiler.layered.findings.patches import InsertedTwice
from compiler.source import nodes as source
from compiler.source.finding import Finding

N = TypeVar("N")

INSERTED = (source.Stage, source.Insert)
# An insertion and its layer: the inserted name, and its anchor.
Insertion = tuple[str, source.Word, source.Word]


def check_insertions(catalog: Catalog, below: Mapping[str, frozenset[str]]) -> list[Finding]:
    """Return a problem for each pair of insertions at the same place whose order no layer defines."""
    places: dict[tuple[str, ...], list[Insertion]] = {}
    for place, insertion in (*_stages(catalog), *_phases(catalog)):
        places.setdefault(place, []).append(insertion)
    problems: list[Finding] = []
    for found in places.values():
        for (layer, first, _), (other_layer, second, anchor) in combinations(found, 2):
            is_ordered = layer != other_layer and (
                layer in below.get(other_layer, ()) or other_layer in below.get(layer, ())
            )
            if not is_ordered:
                problems.append(InsertedTwice(second.span, first.span, second.text, first.text, anchor.text))
    return problems


def sort_by_anchor(parts: Iterable[layered.LayerStatement[N]]) -> tuple[layered.LayerStatement[N], ...]:
    """Return insertions in an order, independent of that of reading, in which each follows its anchor."""
    parts = tuple(parts)
    anchors = {name: anchor for part in parts for name, anchor in _inserted(part.node)}
    if not anchors:
        return parts

    depths: dict[tuple[str, str], int] = {}  # How many insertions one leans on, itself among them.
    for name in anchors:
        chain: dict[tuple[str, str], None] = {}
        ancestor = name
        while ancestor in anchors and ancestor not in depths and ancestor not in chain:  # A circle ends where it began.
            chain[ancestor] = None
            ancestor = anchors[ancestor]
        depths.update((each, number) for number, each in enumerate(reversed(chain), depths.get(ancestor, 0) + 1))

    def depth(part: layered.LayerStatement[N]) -> int:
        """Count the insertions that one leans on."""
        return max((depths.get(anchor, 0) for _, anchor in _inserted(part.node)), default=0)

    return tuple(sorted(parts, key=depth))


def _inserted(node: object) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Return what a node inserts, and its anchor, each with its term or the sequence."""
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
