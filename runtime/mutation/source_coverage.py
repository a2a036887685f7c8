"""Compute which items of the source documents are cited, and protected by examples.

The input is the catalog of items and the results of mutation in each stack; the output is counts and the missing items.
An item counts once, wherever it is cited: encoded if a unit that mutation alters cites it, protected if mutating such a
unit makes an example fail. A title, a sequence or an exception
without a conclusion may cite an item, too: it is then neither encoded nor uncited.
"""

from collections.abc import Iterable, Iterator

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk
from runtime.mutation.mutant import RULE
from runtime.mutation.targets import MutationTarget, Protection


@frozen_dataclass
class SourceItem:
    """One item of a source document; those that are not executable are only printed as notes."""

    id: str
    executable: bool


@frozen_dataclass
class Coverage:
    """The numbers of executable items by status.

    `missing` are executable ones that are not protected, `uncited` those of them that nothing in the stacks cites.
    """

    total: int
    executable: int
    encoded: tuple[str, ...]
    protected: tuple[str, ...]
    missing: tuple[str, ...]
    uncited: tuple[str, ...]


def measure_coverage(items: Iterable[SourceItem], stacks: Iterable[tuple[graph.Graph, Protection]]) -> Coverage:
    """Compute the coverage of the items by the given stacks."""
    catalog = tuple(items)
    executable = {item.id for item in catalog if item.executable}
    encoded: set[str] = set()
    protected: set[str] = set()
    cited: set[str] = set()
    for rules, found in stacks:
        cited |= {cite for node in walk(rules) for cite in getattr(node, "cites", ())}
        for unit in (*found.protected, *found.unprotected):
            encoded |= set(citations_of(rules, unit)) & executable
        for unit in found.protected:
            protected |= set(citations_of(rules, unit)) & executable
    return Coverage(
        total=len(catalog),
        executable=len(executable),
        encoded=tuple(sorted(encoded)),
        protected=tuple(sorted(protected)),
        missing=tuple(sorted(executable - protected)),
        uncited=tuple(sorted(executable - encoded - cited)),
    )


def citations_of(rules: graph.Graph, unit: MutationTarget) -> Iterator[str]:
    """Return the citations of a unit; a rule of a ruling also counts for the citations of the ruling."""
    yield from unit.cites
    if unit.kind == RULE:
        ruling = rules.rulings.get(rules.rules[unit.name].ruling)
        if ruling is not None and ruling.rules == (unit.name,):
            yield from ruling.cites
