"""The places of factors on the faces of counters: four corners, one below the name, and one above it.

In: a graph and what is printed on a counter. Out: the factors in these places, and those that have none. A layer may
declare the places of a kind (`faces` in a YAML file that begins with `book`); otherwise the corners show the first four
numbers of the game, and the place below the name shows the first factor that a layer added. A short word is above it.
"""

from collections.abc import Mapping

from runtime.graph import nodes as graph
from runtime.graph.added_factors import added_factors, added_names
from runtime.graph.frozen_dataclass import frozen_dataclass

CORNER_COUNT = 4


@frozen_dataclass
class _FacePlaces:
    """The factors in the corners of a counter, below its name, and above it; "" where a place stays empty."""

    corners: tuple[str, ...]
    below: str
    above: str = ""

    @property
    def factors(self) -> tuple[str, ...]:
        """Return the factors that are shown, by place."""
        return (*self.corners, self.below, self.above)


def face_places(book: graph.Graph, kind: str, printed: Mapping[str, graph.Expr]) -> _FacePlaces:
    """Return the places of the factors of a counter, given its printed values in the order of their declaration."""
    declared = next(
        (names for layer in reversed(book.layers) for name, names in layer.faces if name == kind), ()
    )  # fmt: skip
    if declared:
        factors = [name if name in printed else "" for name in declared] + [""] * (CORNER_COUNT + 2 - len(declared))
        return _FacePlaces(tuple(factors[:CORNER_COUNT]), *factors[CORNER_COUNT:])
    added = added_names(book, kind)
    numbers = [name for name, value in printed.items() if name not in added and isinstance(value, graph.Num)]
    first = next((factor.part.name for factor in added_factors(book) if factor.kind == kind), "")
    return _FacePlaces(tuple(numbers[:CORNER_COUNT]), first if first in printed else "")


def factors_without_place(book: graph.Graph) -> tuple[str, ...]:
    """Return the added factors, and other numbers, that some counter prints and its face does not show.

    Each is a kind and a name, as in `unit.morale`.
    """
    found: dict[str, None] = {}
    for counter in book.counters.values():
        added, printed = added_names(book, counter.kind), dict(counter.printed)
        places = face_places(book, counter.kind, printed)
        found |= {
            f"{counter.kind}.{name}": None
            for name, value in printed.items()
            if (name in added or isinstance(value, graph.Num)) and name not in places.factors
        }
    declared = [f"{kind.name}.{part.name}" for kind in book.vocabulary.kinds.values() for part in kind.printed]
    return tuple(key for key in declared if key in found)
