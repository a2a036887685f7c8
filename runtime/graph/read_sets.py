"""Read sets of questions: the slots (slots.py) that an answer can depend on.

In: a graph. Out: for each term and each expression, what it reads, transitively through the questions that it asks;
None where it creates a record, as records are equal only to themselves and a memo would return an old one.
"""

from collections.abc import Iterable
from functools import cache

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import queried_term
from runtime.graph.closure import transitive_closure
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.slots import PositionSlot, SlotTable
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk


# Many examples share few graphs, and the graphs of the readings that they do not follow.
@memoized_by_identity(32)
def reads_of(rules: graph.Graph) -> "ReadSetAnalysis":
    """Return the read sets of a graph."""
    return ReadSetAnalysis(rules)


class ReadSetAnalysis:
    """The read-set analysis of one graph, computed on demand."""

    def __init__(self, rules: graph.Graph, *, any_flips: bool | None = None) -> None:
        """Prepare the memos; `any_flips`: whether any piece may be flipped, by default whether a counter has a back."""
        self.rules = rules
        if any_flips is None:
            any_flips = any(counter.back for counter in rules.counters.values())
        self.slots = SlotTable(rules.vocabulary, tuple(rules.vocabulary.kinds) if any_flips else ())
        self.own_reads = cache(self._own_reads)
        self.terms_reached_from = cache(self._terms_reached_from)

    def term_creates_record(self, name: str) -> bool:
        """Return whether a term may return a record that it created."""
        return _may_hold_records(self.rules.terms[name].type) and self.create_records(self.terms_reached([name]), ())

    def reads_of_expression(self, expr: graph.Expr) -> frozenset[PositionSlot] | None:
        """Return the read set of an expression; None where it may return a record that it created."""
        if self.expression_creates_record(expr):
            return None
        return self.reads_of_nodes(tuple(walk(expr)))

    def reads_of_nodes(self, nodes: tuple[object, ...]) -> frozenset[PositionSlot]:
        """Return the read set of nodes; nested nodes have to be among them."""
        reached = self.terms_reached(self.called_terms(nodes))
        return self._together(reached).union(slot for node in nodes for slot in self.slots.reads(node))

    def expression_creates_record(self, expr: graph.Expr) -> bool:
        """Return whether an expression may return a record that it created."""
        if not _may_hold_records(type_of(expr, {}, self.rules)):
            return False
        nodes = tuple(walk(expr))
        return self.create_records(self.terms_reached(self.called_terms(nodes)), nodes)

    def create_records(self, terms: Iterable[str], nodes: Iterable[object]) -> bool:
        """Return whether these terms or nodes create records."""
        body_nodes = (node for term in terms for node in walk(self.answer_bodies(term)))
        return any(isinstance(node, graph.New) for node in (*nodes, *body_nodes))

    def terms_reached(self, names: Iterable[str]) -> frozenset[str]:
        """Return these terms and the terms that they ask, transitively."""
        return frozenset().union(*map(self.terms_reached_from, names))

    def _terms_reached_from(self, name: str) -> frozenset[str]:
        return frozenset(transitive_closure([name], lambda asking: self.own_reads(asking)[1]))

    def _together(self, names: Iterable[str]) -> frozenset[PositionSlot]:
        """Return the union of the direct read sets of terms."""
        return frozenset().union(*(self.own_reads(name)[0] for name in names))

    def _own_reads(self, name: str) -> tuple[frozenset[PositionSlot], frozenset[str]]:
        """Return the direct read set of a term, and the terms that it asks."""
        found = set[PositionSlot]()
        flag = self.rules.vocabulary.flags.get(name)
        if flag is not None:
            found.update(self.slots.reads(graph.Test(flag.what, flag.owner, flag.name)))
        nodes = tuple(walk(self.answer_bodies(name)))
        found.update(slot for node in nodes for slot in self.slots.reads(node))
        return frozenset(found), frozenset(self.called_terms(nodes))

    def answer_bodies(self, name: str) -> tuple[object, ...]:
        """Return the expressions that determine the answer of a term."""
        term = self.rules.terms[name]
        rules = rules_of_term(self.rules, term)
        return term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules)

    def called_terms(self, nodes: Iterable[object]) -> list[str]:
        """Return the terms that nodes ask, without those that they contain."""
        return [name for name in map(queried_term, nodes) if name in self.rules.terms]


def _may_hold_records(type_: graph.Type) -> bool:
    """Return whether values of a type may be or contain records."""
    if isinstance(type_, graph.Many):
        return _may_hold_records(type_.of)
    return isinstance(type_, graph.RecordOf | graph.Nothing)
