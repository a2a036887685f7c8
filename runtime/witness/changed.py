"""What differs between two graphs, and which terms can feel it.

In: two graphs. Out: labels of rules, chart cells and counters that are in one only or say something else
in the other; and for each term in both, the changed ones that its answers can rest on. Prose, citations
and places in files do not count: they change no answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.graph.walk import walk


@dataclass(frozen=True, slots=True)
class Changed:
    """Labels only in one graph, or in both but not the same. Cells are `chart[keys]`, counters `counter x`."""

    only_a: frozenset[str]
    only_b: frozenset[str]
    altered: frozenset[str]

    def every(self) -> frozenset[str]:
        """All changed labels."""
        return self.only_a | self.only_b | self.altered


def changed(a: graph.Graph, b: graph.Graph) -> Changed:
    """Compare all that answers rest on."""
    here, there = dict(_by_label(a, b)), dict(_by_label(b, a))
    both = here.keys() & there.keys()
    return Changed(
        frozenset(here.keys() - both),
        frozenset(there.keys() - both),
        frozenset(label for label in both if here[label] != there[label]),
    )


def _by_label(mine: graph.Graph, other: graph.Graph) -> Iterator[tuple[str, object]]:
    for rule in mine.rules.values():
        # A rule that also defeats what the other graph lacks says nothing else because of that.
        defeats = frozenset(label for label in rule.defeats if label in other.rules)
        yield rule.label, (rule.terms, rule.verb, rule.value, rule.names, rule.guard, defeats)
    for table in mine.tables.values():
        for row in table.rows:
            yield row_label(table, row, mine.vocabulary), (row.kind, row.value)
    for counter in mine.counters.values():
        yield counter_label(counter.id), (counter.kind, counter.owner, counter.printed, frozenset(counter.traits))
    for term in mine.terms.values():
        yield term_label(term.name), (term.default, term.otherwise, term.capped)


def counter_label(id_: str) -> str:
    """Name a counter."""
    return f"counter {id_}"


def term_label(name: str) -> str:
    """Name what a term answers when no rule speaks."""
    return f"default of {name}"


def touched(a: graph.Graph, b: graph.Graph, changes: Changed) -> dict[str, frozenset[str]]:
    """List, for each term of both graphs, the changed labels its answers can rest on; what is asked comes first."""
    every = changes.every()
    reach: dict[str, frozenset[str]] = {}
    for stack in (b, a):
        grounds = _Grounds(stack, every)
        for name in stack.terms:
            grounds.of(name)
        for name, labels in grounds.followed.items():
            if labels and name in a.terms and name in b.terms:
                reach[name] = reach.get(name, frozenset()) | labels
    return reach


class _Grounds:
    """Which changed labels each term, flag and chart of one graph rests on; `followed` has what is asked first."""

    def __init__(self, stack: graph.Graph, every: frozenset[str]) -> None:
        self.stack = stack
        self.every = every
        self.followed: dict[str, frozenset[str]] = {}

    def of(self, name: str) -> frozenset[str]:
        """Follow a term, or a chart."""
        if name not in self.followed:
            self.followed[name] = frozenset(self._found(name))
        return self.followed[name]

    def _found(self, name: str) -> Iterator[str]:
        if table := self.stack.tables.get(name):
            yield from self.every.intersection(row_label(table, row, self.stack.vocabulary) for row in table.rows)
            yield from self._inside(table.rows)
        if term := self.stack.terms.get(name):
            yield from self.every & {term_label(name), *term.rules}
            yield from self._inside(term.otherwise)
            for label in term.rules:
                rule = self.stack.rules[label]
                yield from self._inside((rule.guard, rule.value, rule.names))

    def _inside(self, nodes: object) -> Iterator[str]:
        for node in walk(nodes):
            match node:
                case graph.Ask(term):
                    yield from self.of(term)
                case graph.Cell(table):
                    yield from self.of(table)
                case graph.Test(_, owner, word) if f"{owner}.{word}" in self.stack.terms:
                    yield from self.of(f"{owner}.{word}")
                case _:
                    pass
