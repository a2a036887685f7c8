"""Dependency tracking for generated code, so that results computed from answers can be memoized.

In: a graph. Out: answers, and the names of the terms, rules and charts that all answers so far depend on. No term is
inlined: each has its own function, generated when it is first asked.
"""

from typing import NamedTuple

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried
from runtime.graph.walk import walk


class Dependencies(NamedTuple):
    """The names that answers depend on."""

    terms: tuple[str, ...]
    rules: tuple[str, ...]
    tables: tuple[str, ...]


class DependencyTracer(GeneratedEvaluator):
    """A generated evaluator that records which terms were asked."""

    def __init__(self, rules: graph.Graph) -> None:
        """Start with an empty trace."""
        super().__init__(rules)
        self.emitter.is_traced = True
        self._asked_terms: set[str] = set()

    def make_function(self, name: str, suffix: str) -> None:
        """Generate a function of a term, and record that the term was asked."""
        self._asked_terms.add(name)
        super().make_function(name, suffix)

    def dependencies(self) -> Dependencies:
        """Return the names that the answers so far depend on, transitively."""
        rules = self.graph
        written = tuple(expr for expr, _ in (*self.expressions.values(), *self.streams.values()))
        todo, found = [*self._asked_terms, *self._asks(written)], dict[str, None]()
        tables = {node.table for node in walk(written) if isinstance(node, graph.Cell)}
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found[name] = None
            term = rules.terms[name]
            definition = (term, *rules_of_term(rules, term))
            tables |= {node.table for node in walk(definition) if isinstance(node, graph.Cell)}
            if name in self._asked_terms:
                todo += self._asks(definition)
        labels = {label for name in found for label in rules.terms[name].rules}
        return Dependencies(tuple(sorted(found)), tuple(sorted(labels)), tuple(sorted(tables)))

    def _asks(self, parts: object) -> list[str]:
        """Return the terms, including flags, that are asked in these parts."""
        return [name for name in terms_queried(parts) if name in self.graph.terms]
