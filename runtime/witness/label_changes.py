"""Compute the changed labels between two graphs, and the terms that depend on them.

The input is two graphs; the output is labels of what is in one only or differs (rules, cells of charts, counters,
words); and for each term in both, the changed ones that its answers can depend on. Prose, citations and origins do not
count: they change no answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.rows import row_label
from runtime.graph.walk import walk
from runtime.witness.dependencies import dependencies_of
from runtime.witness.structural_difference import WORDY, NodeChange, structural_difference


@dataclass(frozen=True, slots=True)
class LabelChanges:
    """Labels in one graph only, or in both with a difference, as `structural_difference.Change` has them."""

    only_a: frozenset[str]
    only_b: frozenset[str]
    altered: frozenset[str]

    def all_labels(self) -> frozenset[str]:
        """Return all changed labels."""
        return self.only_a | self.only_b | self.altered


def label_changes(a: graph.Graph, b: graph.Graph) -> LabelChanges:
    """Return the changes of all that answers depend on."""
    return collect_label_changes(structural_difference(a, b))


def collect_label_changes(changes: Iterable[NodeChange]) -> LabelChanges:
    """Collect the labels of changes, except those of print only."""
    labels: dict[str, set[str]] = {"gone": set(), "new": set(), "changed": set(), "printed": set()}
    for change in changes:
        labels[change.operation].update(change.labels)
    return LabelChanges(frozenset(labels["gone"]), frozenset(labels["new"]), frozenset(labels["changed"]))


def counter_label(id_: str) -> str:
    """Return the label of a counter."""
    return f"counter {id_}"


def term_label(name: str) -> str:
    """Return the label of the default of a term."""
    return f"default of {name}"


def labels_of_terms(a: graph.Graph, b: graph.Graph, changes: LabelChanges) -> dict[str, frozenset[str]]:
    """Return, for each term of both graphs, the changed labels its answers can depend on, queried terms first."""
    every = changes.all_labels()
    read = _read_as(a, b, every)
    reach: dict[str, frozenset[str]] = {}
    for stack in (b, a):
        dependencies = _LabelDependencies(stack, every, read)
        for name in stack.terms:
            dependencies.labels_of(name)
        for name, labels in dependencies.labels_by_name.items():
            if labels and name in a.terms and name in b.terms:
                reach[name] = reach.get(name, frozenset()) | labels
    return reach


def _read_as(a: graph.Graph, b: graph.Graph, every: frozenset[str]) -> dict[str, frozenset[str]]:
    """Map each thing that nodes read (dependencies.py) to the changed labels of its words and counters."""
    found: dict[str, set[str]] = {label: {label} for label in every if label.partition(" ")[0] in WORDY}
    for id_ in (label.removeprefix("counter ") for label in every if label.startswith("counter ")):
        for part in differing_properties(a.counters.get(id_), b.counters.get(id_)):
            found.setdefault(part, set()).add(counter_label(id_))
    for label in (label for label in every if label.startswith("factor ")):
        found.setdefault(f"printed {label.rpartition('.')[2]}", set()).add(label)
    return {name: frozenset(labels) for name, labels in found.items()}


def differing_properties(first: graph.Counter | None, second: graph.Counter | None) -> Iterator[str]:
    """Return the differing properties of two versions of a counter, as nodes read them."""
    if first is None or second is None:
        return
    first_printed, second_printed = dict(first.printed), dict(second.printed)
    yield from (
        f"printed {name}"
        for name in {*first_printed, *second_printed}
        if first_printed.get(name) != second_printed.get(name)
    )
    yield from (f"trait {first.kind}.{trait}" for trait in {*first.traits} ^ {*second.traits})
    if (first.kind, first.owner) != (second.kind, second.owner):
        yield f"kind {first.kind}"


class _LabelDependencies:
    """The changed labels that each term, flag and chart depends on; `labels_by_name` has the queried ones first."""

    def __init__(self, stack: graph.Graph, every: frozenset[str], read: Mapping[str, frozenset[str]]) -> None:
        self.stack = stack
        self.all_labels = every
        self.read = read
        self.labels_by_name: dict[str, frozenset[str]] = {}

    def labels_of(self, name: str) -> frozenset[str]:
        """Return the labels of a term, or a chart."""
        if name not in self.labels_by_name:
            self.labels_by_name[name] = frozenset(self._labels_of_name(name))
        return self.labels_by_name[name]

    def _labels_of_name(self, name: str) -> Iterator[str]:
        if table := self.stack.tables.get(name):
            yield from self.all_labels.intersection(row_label(table, row, self.stack.vocabulary) for row in table.rows)
            yield from self._labels_inside(table.rows)
        if term := self.stack.terms.get(name):
            yield from self.all_labels & {term_label(name), *term.rules}
            yield from self._words(term.parameters)
            yield from self._labels_inside(term.otherwise)
            for rule in rules_of_term(self.stack, term):
                yield from self._labels_inside((rule.guard, rule.value, rule.names))

    def _words(self, nodes: object) -> Iterator[str]:
        """Return the changed words and counters that nodes read."""
        for each in dependencies_of(nodes) if self.read else ():
            yield from self.read.get(each, ())

    def _labels_inside(self, nodes: object) -> Iterator[str]:
        yield from self._words(nodes)
        for node in walk(nodes):
            match node:
                case graph.Ask(term):
                    yield from self.labels_of(term)
                case graph.Cell(table):
                    yield from self.labels_of(table)
                case graph.Test(_, owner, word) if f"{owner}.{word}" in self.stack.terms:
                    yield from self.labels_of(f"{owner}.{word}")
