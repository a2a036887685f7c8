"""Generated code that knows which terms its answers rest on, so that what came of them can be kept.

In: a graph. Out: answers as ever, and the names of the terms, rules and charts that those given so far rest on. No term
is written out where it is asked: each has its own function, which is made when it is first asked.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


class Dependencies(NamedTuple):
    """The names of what answers rest on."""

    terms: tuple[str, ...]
    rules: tuple[str, ...]
    tables: tuple[str, ...]


class DependencyTracer(GeneratedEvaluator):
    """Answers with generated functions, and tells which terms were asked."""

    def __init__(self, rules: graph.Graph) -> None:
        """Begin having been asked nothing."""
        super().__init__(rules)
        self.emitter.is_traced = True
        self._asked: set[str] = set()

    def make_function(self, name: str, suffix: str) -> None:
        """Make a function of a term, and note that the term was asked."""
        self._asked.add(name)
        super().make_function(name, suffix)

    def dependencies(self) -> Dependencies:
        """Name what the answers given so far rest on."""
        rules = self.graph
        written = tuple(expr for expr, _ in (*self.expressions.values(), *self.streams.values()))
        todo, found = [*self._asked, *self._asks(written)], dict[str, None]()
        tables = {node.table for node in walk(written) if isinstance(node, graph.Cell)}
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found[name] = None
            term = rules.terms[name]
            said = (term, *(rules.rules[label] for label in term.rules))
            tables |= {node.table for node in walk(said) if isinstance(node, graph.Cell)}
            if name in self._asked:
                todo += self._asks(said)
        labels = {label for name in found for label in rules.terms[name].rules}
        return Dependencies(tuple(sorted(found)), tuple(sorted(labels)), tuple(sorted(tables)))

    def _asks(self, parts: object) -> Iterator[str]:
        """List the terms that are asked in some parts, flags among them."""
        for node in walk(parts):
            name = node.term if isinstance(node, graph.Ask) else ""
            if isinstance(node, graph.Test):
                name = f"{node.owner}.{node.name}"
            if name in self.graph.terms:
                yield name
