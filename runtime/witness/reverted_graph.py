"""Revert some of the changes of a graph: the graph as it would be if these were as in the other graph.

The input is two graphs and the changes between them; the output is the second graph with chosen changes reverted. Words
of the first graph only are added, unused, so that a reverted rule finds the questions and charts that it reads.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import fields, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any, get_args

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import with_adopted_labels
from runtime.graph.rows import row_label
from runtime.witness.structural_difference import VOCABULARY, NodeChange

# Fields of the vocabulary by the kinds of changes.
FIELDS = {kind: field for field, kind in VOCABULARY.items()} | dict.fromkeys(get_args(graph.FlagKind), "flags")
# Changes that can be reverted one by one; the others concern play or print.
REVERSIBLE = frozenset({"rule", "question", "cell", "chart", "counter", "factor", *FIELDS})


def revert_changes(a: graph.Graph, b: graph.Graph, changes: Iterable[NodeChange]) -> graph.Graph | None:
    """Return `b` without changes; None if that is no graph, for instance if rules defeat each other in a cycle."""
    undone = [change for change in changes if change.kind in REVERSIBLE]
    merged_graph = _with_words_of(a, b)
    rules, tables, terms = dict(merged_graph.rules), dict(merged_graph.tables), dict(merged_graph.terms)
    words: dict[str, dict[str, Any]] = {}
    counters = dict(merged_graph.counters)
    for change in undone:
        match change.kind:
            case "rule":
                _put_back(rules, a.rules, change.name)
            case "question" if change.operation == "changed":
                terms[change.name] = replace(a.terms[change.name], rules=terms[change.name].rules)
            case "cell":
                _put_cell_back(tables, change.name, a, b)
            case "chart" if change.operation == "changed":
                before = a.tables[change.name]
                if len(before.keys) == len(tables[change.name].keys):  # Otherwise its readers would pass other keys.
                    tables[change.name] = replace(before, rows=tables[change.name].rows)
            case "counter":
                _put_back(counters, a.counters, change.name)
                if change.name in counters and change.name in b.counters:
                    counters[change.name] = _with_factors_of(
                        b.counters[change.name], counters[change.name], merged_graph
                    )
            case "factor" if change.operation == "changed":
                kinds = words.setdefault("kinds", dict(merged_graph.vocabulary.kinds))
                counters |= _put_first_value_back(kinds, counters, change.name, a)
            case kind if kind in FIELDS and change.operation == "changed":
                field = FIELDS[kind]
                words.setdefault(field, dict(getattr(merged_graph.vocabulary, field)))
                words[field][change.name] = getattr(a.vocabulary, field)[change.name]
    ordered = _order_rules(terms, rules)
    if ordered is None:
        return None
    names = " ".join(sorted(f"{change.kind} {change.name}" for change in undone))
    hashed = hashlib.sha256(" ".join((a.hash, b.hash, names)).encode()).hexdigest()
    vocabulary = replace(merged_graph.vocabulary, **words)
    return replace(merged_graph, rules=rules, tables=tables, terms=ordered, counters=counters, vocabulary=vocabulary,
                   hash=hashed)  # fmt: skip


def _with_words_of(a: graph.Graph, b: graph.Graph) -> graph.Graph:
    """Add the declarations of one graph to another that lacks their names, where nothing uses them yet.

    Rules are added with the questions of the first graph only; those on shared questions are changes.
    """
    terms = {**{name: term for name, term in a.terms.items() if name not in b.terms}, **b.terms}
    added_rules = {label: rule for label, rule in a.rules.items() if not any(name in b.terms for name in rule.terms)}
    words = {
        part.name: {**getattr(a.vocabulary, part.name), **getattr(b.vocabulary, part.name)}
        for part in fields(graph.Vocabulary)
    }
    return replace(b, terms=terms, rules={**added_rules, **b.rules}, tables={**a.tables, **b.tables},
                   vocabulary=replace(b.vocabulary, **words))  # fmt: skip


def _put_back(members: dict[str, Any], before: dict[str, Any], name: str) -> None:
    members.pop(name, None)
    if name in before:
        members[name] = before[name]


def _with_factors_of(counter: graph.Counter, before: graph.Counter, rules: graph.Graph) -> graph.Counter:
    """Return a counter as it was, with the factors that were added to its kind since."""
    known, kind = dict(before.printed), rules.vocabulary.kinds[counter.kind]
    more = tuple(each for each in counter.printed if each[0] in dict(kind.first) and each[0] not in known)
    first = tuple(name for name in counter.first if name in dict(more))
    return replace(before, printed=(*before.printed, *more), first=(*before.first, *first))


def _put_first_value_back(
    kinds: dict[str, Any], counters: dict[str, graph.Counter], factor: str, a: graph.Graph
) -> dict[str, graph.Counter]:
    """Restore the first value of an added factor; return the counters that show it."""
    kind, _, name = factor.partition(".")
    value = dict(a.vocabulary.kinds[kind].first)[name]

    def with_current_value(values: tuple[tuple[str, graph.Expr], ...]) -> tuple[tuple[str, graph.Expr], ...]:
        return tuple((each, value if each == name else current_value) for each, current_value in values)

    kinds[kind] = replace(kinds[kind], first=with_current_value(kinds[kind].first))
    showing = (each for each in counters.values() if each.kind == kind and name in each.first)
    return {each.id: replace(each, printed=with_current_value(each.printed)) for each in showing}


def _put_cell_back(tables: dict[str, graph.Table], label: str, a: graph.Graph, b: graph.Graph) -> None:
    """Replace the rows with these keys by the original ones."""
    name = label.partition("[")[0]
    table = tables[name]
    old = tuple(row for row in a.tables[name].rows if row_label(a.tables[name], row, a.vocabulary) == label)
    names = [row_label(b.tables[name], row, b.vocabulary) if row in b.tables[name].rows
             else row_label(table, row, a.vocabulary) for row in table.rows]  # fmt: skip
    place = names.index(label) if label in names else len(names)
    other_rows = [row for row, each in zip(table.rows, names, strict=True) if each != label]
    tables[name] = replace(table, rows=(*other_rows[:place], *old, *other_rows[place:]))


def _order_rules(terms: dict[str, graph.Term], rules: dict[str, graph.Rule]) -> dict[str, graph.Term] | None:
    """Recompute the rules of each term, each before those that it defeats; None if there is a cycle."""
    labels_by_term: dict[str, list[str]] = {}
    for rule in rules.values():
        for name in rule.terms:
            labels_by_term.setdefault(name, []).append(rule.label)
    own_labels = {name: labels_by_term.get(name, []) for name in terms}
    try:
        labels_by_term = with_adopted_labels(own_labels, {name: term.beside for name, term in terms.items()}, rules)
    except CycleError:
        return None
    ordered: dict[str, graph.Term] = {}
    for name, term in terms.items():
        labels = labels_by_term.get(name, [])
        if set(labels) == set(term.rules):
            labels = list(term.rules)
        try:
            # In the original order, as far as defeats permit: ids of decisions stay comparable.
            known = {label: index for index, label in enumerate(term.rules)}
            sorter = TopologicalSorter(dict.fromkeys(sorted(labels, key=lambda each: known.get(each, 0)), ()))
            for label in labels:
                for silenced in rules[label].defeats:
                    if silenced in labels:
                        sorter.add(silenced, label)
            ordered[name] = replace(term, rules=tuple(sorter.static_order()))
        except CycleError:
            return None
    return ordered
