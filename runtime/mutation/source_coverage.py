"""Compute which items of the source documents are cited, have a passing example, and are protected by it.

The input is the catalog of items and the results of mutation in each stack; the output is counts and the missing items.
An item counts once, wherever it is cited: encoded if a unit that mutation alters cites it, tested if such a unit took
part in a passing example, protected if mutating such a unit makes an example fail. A title, a sequence or an exception
without a conclusion may cite an item, too: it is then neither encoded nor uncited.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.walk import walk
from runtime.mutation.declaration_mutants import uses_counter
from runtime.mutation.mutant import RULE
from runtime.mutation.targets import MutationTarget, Protection


@dataclass(frozen=True, slots=True)
class SourceItem:
    """One item of a source document; those that are not executable are only printed as notes."""

    id: str
    executable: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """The numbers of executable items by status.

    `missing` are executable ones that are not protected, `uncited` those of them that nothing in the stacks cites.
    """

    total: int
    executable: int
    encoded: tuple[str, ...]
    tested: tuple[str, ...]
    protected: tuple[str, ...]
    missing: tuple[str, ...]
    uncited: tuple[str, ...]


def measure_coverage(items: Iterable[SourceItem], stacks: Iterable[tuple[graph.Graph, Protection]]) -> Coverage:
    """Compute the coverage of the items by the given stacks."""
    catalog = tuple(items)
    executable = {item.id for item in catalog if item.executable}
    encoded: set[str] = set()
    tested: set[str] = set()
    protected: set[str] = set()
    cited: set[str] = set()
    for rules, found in stacks:
        cited |= {cite for node in walk(rules) for cite in getattr(node, "cites", ())}
        for unit in (*found.protected, *found.unprotected):
            cites = set(citations_of(rules, unit)) & executable
            encoded |= cites
            if any(run.has_passed and takes_part(rules, unit, run) for run in found.runs):
                tested |= cites
        for unit in found.protected:
            protected |= set(citations_of(rules, unit)) & executable
    return Coverage(
        total=len(catalog),
        executable=len(executable),
        encoded=tuple(sorted(encoded)),
        tested=tuple(sorted(tested | protected)),
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


def takes_part(rules: graph.Graph, unit: MutationTarget, run: Run) -> bool:
    """Return whether a unit took part in a run of an example."""
    match unit.kind:
        case "rule":
            return unit.name in run.rules
        case "cell":
            table, _, number = unit.name[:-1].partition("[")
            return rules.tables[table].rows[int(number)] in run.rows
        case "default":
            return unit.name in run.terms
        case "counter":
            return uses_counter(rules, run.example, unit.name)
        case "number":
            return run.example.card == unit.name.partition(":")[0]
        case "step":
            if " of " not in unit.name:
                return run.follows_sequence
            return unit.name.rpartition(" of ")[2] in procedures_reached(rules, run.procedures)
        case _:
            return unit.name in procedures_reached(rules, run.procedures)
