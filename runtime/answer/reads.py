"""Read sets of questions: the parts of a position that an answer can depend on.

In: a graph. Out: for each term and each expression, the names of the parts (`runtime.state.position_parts`) that it
reads, transitively through the questions that it asks; None where it creates a record, as records are equal only to
themselves and a memo would return an old one.

Immutable data are no parts: the map, the side and kind of a piece, and its printed values where no counter has a
back.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import queried_term
from runtime.graph.closure import transitive_closure
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.operators import OPERATORS
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.state import position_parts

Parts = frozenset[str] | None


# Many examples share few graphs.
@memoized_by_identity()
def reads_of(rules: graph.Graph) -> "ReadSetAnalysis":
    """Return the read sets of a graph."""
    return ReadSetAnalysis(rules)


class ReadSetAnalysis:
    """The read-set analysis of one graph, computed on demand."""

    def __init__(self, rules: graph.Graph) -> None:
        """Prepare the memos of the analysis."""
        self.rules = rules
        self.kinds = tuple(rules.vocabulary.kinds)
        # Only pieces with a back are flipped.
        self.flipping_kinds = self.kinds if any(each.back for each in rules.counters.values()) else ()
        self.own_reads = cache(self._own_reads)

    def term_creates_record(self, name: str) -> bool:
        """Return whether a term may return a record that it created."""
        return may_hold_records(self.rules.terms[name].type) and self.create_records(self.terms_reached([name]), ())

    def reads_of_expression(self, expr: graph.Expr) -> Parts:
        """Return the read set of an expression; None where it may return a record that it created."""
        if self.expression_creates_record(expr):
            return None
        return self.reads_of_nodes(tuple(walk(expr)))

    def reads_of_nodes(self, nodes: tuple[object, ...]) -> frozenset[str]:
        """Return the read set of nodes; nested nodes have to be among them."""
        reached = self.terms_reached(self.called_terms(nodes))
        return self._together(reached).union(part for node in nodes for part in self.node_reads(node))

    def expression_creates_record(self, expr: graph.Expr) -> bool:
        """Return whether an expression may return a record that it created."""
        if not may_hold_records(type_of(expr, {}, self.rules)):
            return False
        nodes = tuple(walk(expr))
        return self.create_records(self.terms_reached(self.called_terms(nodes)), nodes)

    def create_records(self, terms: Iterable[str], nodes: Iterable[object]) -> bool:
        """Return whether these terms or nodes create records."""
        body_nodes = (node for term in terms for node in walk(self.answer_bodies(term)))
        return any(isinstance(node, graph.New) for node in (*nodes, *body_nodes))

    def terms_reached(self, names: Iterable[str]) -> frozenset[str]:
        """Return these terms and the terms that they ask, transitively."""
        return frozenset(transitive_closure(names, lambda name: self.own_reads(name)[1]))

    def _together(self, names: Iterable[str]) -> frozenset[str]:
        """Return the union of the direct read sets of terms."""
        return frozenset().union(*(self.own_reads(name)[0] for name in names))

    def _own_reads(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the direct read set of a term, and the terms that it asks."""
        found: set[str] = set()
        flag = self.rules.vocabulary.flags.get(name)
        if flag is not None and flag.what == "status":
            found.add(name)
        if flag is not None and flag.what == "trait" and self.flipping_kinds:
            found.add(position_parts.printed_part(flag.owner))
        nodes = tuple(walk(self.answer_bodies(name)))
        found.update(part for node in nodes for part in self.node_reads(node))
        return frozenset(found), frozenset(self.called_terms(nodes))

    def answer_bodies(self, name: str) -> tuple[object, ...]:
        """Return the expressions that determine the answer of a term."""
        term = self.rules.terms[name]
        rules = rules_of_term(self.rules, term)
        return term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules)

    def called_terms(self, nodes: Iterable[object]) -> list[str]:
        """Return the terms that nodes ask, without those that they contain."""
        return [name for name in map(queried_term, nodes) if name in self.rules.terms]

    def node_reads(self, node: object) -> Iterator[str]:
        """Yield the parts that a node reads directly."""
        match node:
            case graph.Get(_, "given", _, "hex"):
                yield from map(position_parts.hexes_part, self.kinds)
            case graph.Get(_, "given", _, "place"):
                yield from map(position_parts.places_part, self.kinds)
            case graph.Get(_, "printed") | graph.Get(_, "given", _, "counter") | graph.Has(_, "printed"):
                yield from map(position_parts.printed_part, self.flipping_kinds)
            case graph.Is(_, tests):
                yield from (part for test in tests for part in self._tested(test))
            case graph.Get(_, "track", owner, name) | graph.Has(_, "track", owner, name) | graph.GameTrack(owner, name):
                yield f"{owner}.{name}"
            case graph.Get(_, "partner" | "partners", relation) | graph.Has(_, "partner", relation):
                yield position_parts.pairs_part(relation)
            case graph.Get(_, "record", owner, name) | graph.Has(_, "record", owner, name):
                yield position_parts.record_field_part(owner, name)
            case graph.Op():
                yield from self._of_operator(node)
            case graph.Pieces(kinds, None) | graph.All(graph.Piece(kinds)):
                yield from map(position_parts.presence_part, kinds or self.kinds)
            case graph.Pieces(kinds, _):
                yield from map(position_parts.piece_hexes_part, kinds or self.kinds)
            case graph.All(graph.RecordOf(type_)):
                yield position_parts.record_slots(type_)
            case _:
                return

    def _of_operator(self, expr: graph.Op) -> Iterator[str]:
        """Yield the parts that an operator reads."""
        match OPERATORS[expr.op].reads, expr.arguments:
            case "pairs", (graph.Member(_, relation), *_):
                yield position_parts.pairs_part(relation)
            case "reserve", kinds:
                named = tuple(kind.name for kind in kinds if isinstance(kind, graph.Member))
                yield from map(position_parts.presence_part, named or self.kinds)
            case _:
                return

    def _tested(self, test: graph.Test) -> Iterator[str]:
        """Yield the parts that a test reads; a test of a flag with rules is a question."""
        match test.what:
            case "place":
                yield from map(position_parts.places_part, self.kinds)
            case "gone" | "off":
                yield from map(position_parts.presence_part, self.kinds)
            case "status":
                yield f"{test.owner}.{test.name}"
            case "trait" if self.flipping_kinds:
                yield position_parts.printed_part(test.owner)
            case "trait" | "feature" | "path" | "kind" | "cell":
                return


def may_hold_records(type_: graph.Type) -> bool:
    """Return whether values of a type may be or contain records."""
    if isinstance(type_, graph.Many):
        return may_hold_records(type_.of)
    return isinstance(type_, graph.RecordOf | graph.Nothing)
