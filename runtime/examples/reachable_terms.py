"""Reachability over questions: the terms that a part of a graph can ask, directly or through rules and procedures."""

from collections.abc import Iterable

from runtime.answer.reads import may_hold_records, reads_of
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import procedures_reached, terms_queried
from runtime.graph.closure import transitive_closure
from runtime.graph.walk import walk


def terms_asked_within(rules: graph.Graph, parts: Iterable[object]) -> set[str]:
    """Return the terms that these parts ask, transitively through the rules of those terms."""

    def terms_asked_in(nodes: Iterable[object]) -> list[str]:
        return [name for name in terms_queried(tuple(nodes)) if name in rules.terms]

    def terms_asked_next(name: str) -> list[str]:
        term = rules.terms[name]
        return terms_asked_in((term.otherwise, *rules_of_term(rules, term)))

    ends = (relation.ends for relation in rules.vocabulary.relations.values())
    return transitive_closure(terms_asked_in((*parts, *ends)), terms_asked_next)


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
