"""Reachability over questions: the terms that a part of a graph can ask, directly or through rules and procedures."""

from collections.abc import Iterable

from runtime.answer.reads import may_hold_records, reads_of
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached, terms_queried
from runtime.graph.walk import walk


def terms_asked_within(rules: graph.Graph, parts: Iterable[object]) -> set[str]:
    """Return the terms that these parts ask, transitively through the rules of those terms."""
    found: set[str] = set()
    todo = [*parts, *(relation.ends for relation in rules.vocabulary.relations.values())]
    while todo:
        for name in terms_queried(todo.pop()):
            if name in rules.terms and name not in found:
                found.add(name)
                todo.append(rules.terms[name].otherwise)
                todo += [rules.rules[label] for label in rules.terms[name].rules]
    return found


def terms_asked_by(rules: graph.Graph, lines: Iterable[object], procedures: Iterable[str]) -> frozenset[str]:
    """Return the terms that lines of an example can ask, directly or through the procedures that they start."""
    bodies = (rules.procedures[key].body for key in procedures_reached(rules, procedures))
    return frozenset(terms_asked_within(rules, (tuple(lines), *bodies)))


def is_about_new_record(rules: graph.Graph, line: graph.Given) -> bool:
    """Return whether an answer is pinned for a record that the line creates, which equals no other: never read."""
    reads = reads_of(rules)
    for parameter, argument in zip(rules.terms[line.term].parameters, line.arguments, strict=False):
        nodes = tuple(walk(argument))
        terms = reads.terms_reached(reads.called_terms(nodes))
        if may_hold_records(parameter.type) and reads.create_records(terms, nodes):
            return True
    return False
