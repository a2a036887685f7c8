"""What has to be counted so that the use of some rules, cells and steps is known.

The input is a graph, and the keys of the changes in it (reachable_changes.py). Output: a `CountRequest`, which a module
is compiled with, and which a tracer of the machine listens to. A question that may ask a watched one is evaluated with
all of its rules, as the order of rules has no meaning and depends on the engine: which of them ask must not.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator

from runtime.experiment.reachable_changes import ACTION, CELL, CHART, COUNTER, DEFAULT, OFFER, RULE
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.closure import transitive_closure
from runtime.graph.count_layout import CountRequest
from runtime.graph.walk import walk


def watched_parts(rules: graph.Graph, keys: Collection[str]) -> CountRequest:
    """Return what has to be counted for these keys."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for key in keys:
        kind, _, name = key.partition(":")
        names[kind].add(name)
    charts = names[CHART] | {name.partition("[")[0] for name in names[CELL]}
    terms = names[DEFAULT] | {name for name, term in rules.terms.items() if not names[RULE].isdisjoint(term.rules)}
    actions = names[ACTION] | {name.partition("@")[0] for name in names[OFFER]}
    reaching_terms = _terms_reaching(rules, terms | charts) & rules.terms.keys()
    return CountRequest(
        tuple(sorted(reaching_terms)), tuple(sorted(charts)), tuple(sorted(actions)), counters=COUNTER in names
    )


def _terms_reaching(rules: graph.Graph, targets: Collection[str]) -> frozenset[str]:
    """Return the terms whose answers may query one of the terms and charts `targets`, and these."""
    asked_by: dict[str, list[str]] = defaultdict(list)
    for name, term in rules.terms.items():
        parts = tuple([(law.guard, law.value, law.names) for law in rules_of_term(rules, term)])
        for other in set(_queried_names((term.otherwise, parts))):
            asked_by[other].append(name)
    return frozenset(transitive_closure(targets, lambda name: asked_by.get(name, ())))


def _queried_names(nodes: object) -> Iterator[str]:
    """Return the terms and charts that nodes query."""
    for node in walk(nodes):
        match node:
            case graph.Ask(name) | graph.Cell(name):
                yield name
            case graph.Test(_, owner, word):
                yield f"{owner}.{word}"
            case _:
                pass
