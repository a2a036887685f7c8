"""The factors that layers add to kinds of pieces, and counters without some of them.

In: a graph or one of its kinds. Out: the added factors with their types and first values. The comparisons of stacks,
books and counters use them: a difference in an added factor is reported once, not for each counter of the kind.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class AddedFactor:
    """A factor that a layer added to the kind `kind`, with the value of counters without another one."""

    kind: str
    part: graph.Parameter
    first: graph.Expr

    @property
    def key(self) -> str:
        """Return the kind and the name, as in `unit.morale`."""
        return f"{self.kind}.{self.part.name}"


def added_factors(rules: graph.Graph) -> tuple[AddedFactor, ...]:
    """Return the added factors of all kinds, in the order of the unit charts."""
    return tuple(each for kind in rules.vocabulary.kinds.values() for each in _of_kind(kind))


def _of_kind(kind: graph.Kind) -> Iterator[AddedFactor]:
    first = dict(kind.first)
    yield from (AddedFactor(kind.name, part, first[part.name]) for part in kind.printed if part.name in first)


def added_names(rules: graph.Graph, kind: str) -> frozenset[str]:
    """Return the names of the factors that layers added to a kind; none for a kind that the graph lacks."""
    declared = rules.vocabulary.kinds.get(kind)
    return frozenset(name for name, _ in declared.first) if declared else frozenset()


def without_factors(counter: graph.Counter, names: Collection[str]) -> graph.Counter:
    """Return a counter without the values of some factors."""
    return replace(
        counter,
        printed=tuple(each for each in counter.printed if each[0] not in names),
        first=tuple(name for name in counter.first if name not in names),
        added=tuple(each for each in counter.added if each.name not in names),
    )
