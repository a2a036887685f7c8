"""Compute the questions and charts of a graph that query others, transitively."""

from collections import defaultdict
from collections.abc import Collection, Iterator

from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.walk import walk


def terms_reaching(rules: graph.Graph, targets: Collection[str]) -> frozenset[str]:
    """Return the terms and charts whose answers may query one of the wanted, including these."""
    asked_by: dict[str, list[str]] = defaultdict(list)
    for name in (*rules.terms, *rules.tables):
        for other in set(queried_names(_definition(rules, name))):
            asked_by[other].append(name)
    return frozenset(transitive_closure(targets, asked_by.__getitem__))


def queried_names(nodes: object) -> Iterator[str]:
    """Return the terms and charts that nodes query."""
    for node in walk(nodes):
        match node:
            case graph.Ask(name) | graph.Cell(name):
                yield name
            case graph.Test(_, owner, word):
                yield f"{owner}.{word}"
            case _:
                pass


def _definition(rules: graph.Graph, name: str) -> object:
    """Return the nodes that define a term or a chart."""
    if table := rules.tables.get(name):
        return table.rows
    term = rules.terms[name]
    laws = (rules.rules[label] for label in term.rules)
    return (term.otherwise, tuple((law.guard, law.value, law.names) for law in laws))
