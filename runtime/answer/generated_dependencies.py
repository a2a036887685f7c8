"""The dependencies of generated code, so that results computed from its answers can be memoized.

In: an evaluator with `is_traced`, in which each term has a function of its own. Out: the names of the terms, rules and
charts that all its answers so far depend on. A function is generated when its term is first asked, so that nothing has
to be recorded for each question.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried
from runtime.graph.walk import nodes_of


class Dependencies(NamedTuple):
    """The names that answers depend on."""

    terms: tuple[str, ...]
    rules: tuple[str, ...]
    tables: tuple[str, ...]


def dependencies_of(evaluator: GeneratedEvaluator) -> Dependencies:
    """Return the names that the answers so far depend on, transitively."""
    rules, asked_terms = evaluator.graph, evaluator.asked_terms
    compiled = (*evaluator.expressions.values(), *evaluator.streams.values())
    expressions = tuple(expr for expr, _ in compiled)
    pending = [*asked_terms, *_terms_in(rules, expressions)]
    terms: set[str] = set()
    tables = set(_tables_in(expressions))
    while pending:
        name = pending.pop()
        if name in terms:
            continue
        terms.add(name)
        term = rules.terms[name]
        definition = (term, *rules_of_term(rules, term))
        tables.update(_tables_in(definition))
        if name in asked_terms:
            pending += _terms_in(rules, definition)
    labels = {label for name in terms for label in rules.terms[name].rules}
    return Dependencies(tuple(sorted(terms)), tuple(sorted(labels)), tuple(sorted(tables)))


def _terms_in(rules: graph.Graph, nodes: object) -> list[str]:
    """Return the terms, including flags, that are asked in nodes."""
    return [name for name in terms_queried(nodes) if name in rules.terms]


def _tables_in(nodes: object) -> Iterator[str]:
    """Yield the charts of which cells are read in nodes."""
    return (node.table for node in nodes_of(graph.Cell, nodes))
