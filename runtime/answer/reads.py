"""Which parts of a position a question reads, so that its answer is kept until one of them changes.

In: a graph. Out: for each term and each expression, the names of the parts (`runtime.state.memory`),
through all the questions that it asks; or None where what it makes may not be kept beyond an event: a new
record is equal only to itself, so two that are written down must be two.

What never changes is no part: the map, and what is printed on a piece, its side and kind.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.state import memory

Parts = frozenset[str] | None


class Reads:
    """Works out what the terms and expressions of one graph read."""

    def __init__(self, rules: graph.Graph) -> None:
        """Nothing is worked out before it is asked."""
        self.rules = rules
        self.kinds = tuple(rules.vocabulary.kinds)
        self.own = cache(self._own)

    def of_term(self, name: str) -> Parts:
        """Collect what a term reads."""
        made = may_hold_records(self.rules.terms[name].type) and self.makes(self.reached([name]), ())
        return None if made else self._together(self.reached([name]))

    def of(self, expr: graph.Expr) -> Parts:
        """Collect what an expression reads."""
        nodes = tuple(walk(expr))
        reached = self.reached(asked for node in nodes for asked in self.asked(node))
        if may_hold_records(type_of(expr, {}, self.rules)) and self.makes(reached, nodes):
            return None
        return self._together(reached).union(*map(self._parts, nodes))

    def makes(self, terms: Iterable[str], nodes: Iterable[object]) -> bool:
        """Say whether these terms or nodes make records."""
        inside = (node for term in terms for node in walk(self.bodies(term)))
        return any(isinstance(node, graph.New) for node in (*nodes, *inside))

    def reached(self, names: Iterable[str]) -> frozenset[str]:
        """List terms and all that they ask, and those ask."""
        seen: set[str] = set()
        todo = list(names)
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo.extend(self.own(here)[1])
        return frozenset(seen)

    def _together(self, names: Iterable[str]) -> frozenset[str]:
        """Collect what terms read themselves."""
        return frozenset().union(*(self.own(name)[0] for name in names))

    def _own(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """Collect what a term reads itself, and what it asks."""
        parts: set[str] = set()
        asked: set[str] = set()
        flag = self.rules.vocabulary.flags.get(name)
        if flag is not None and flag.what == "status":
            parts.add(name)
        for node in walk(self.bodies(name)):
            parts.update(self._parts(node))
            asked.update(self.asked(node))
        return frozenset(parts), frozenset(asked)

    def bodies(self, name: str) -> tuple[object, ...]:
        """List what answers for a term."""
        term = self.rules.terms[name]
        rules = (self.rules.rules[label] for label in term.rules)
        return term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules)

    def asked(self, node: object) -> Iterator[str]:
        """Name the terms that a node asks."""
        match node:
            case graph.Ask(term, _):
                yield term
            case graph.Test(_, owner, name) if f"{owner}.{name}" in self.rules.terms:
                yield f"{owner}.{name}"
            case graph.Cell(table, _, _):
                values = tuple(row.value for row in self.rules.tables[table].rows)
                yield from (name for inside in walk(values) for name in self.asked(inside))
            case _:
                return

    def _parts(self, node: object) -> Iterator[str]:  # noqa: C901 - one case a node.
        """Name the parts that a node reads itself."""
        match node:
            case graph.Get(_, "given", _, "hex" | "place") | graph.Test("place"):
                yield from map(memory.standing, self.kinds)
            case graph.Test("gone" | "off"):
                yield from map(memory.present, self.kinds)
            case graph.Get(_, "track", owner, name) | graph.Has(_, "track", owner, name):
                yield f"{owner}.{name}"
            case graph.Get(_, "partner" | "partners", relation) | graph.Has(_, "partner", relation):
                yield memory.pairs(relation)
            case graph.Get(_, "record", owner, name) | graph.Has(_, "record", owner, name):
                yield memory.amended(owner, name)
            case graph.GameTrack(owner, name):
                yield f"{owner}.{name}"
            case graph.Test("status", owner, name):
                yield f"{owner}.{name}"
            case graph.Op("payload" | "related", (graph.Member(_, relation), *_)):
                yield memory.pairs(relation)
            case graph.Op("reserve", kinds):
                named = tuple(kind.name for kind in kinds if isinstance(kind, graph.Member))
                yield from map(memory.present, named or self.kinds)
            case graph.Pieces(kinds, None) | graph.All(graph.Piece(kinds)):
                yield from map(memory.present, kinds or self.kinds)
            case graph.Pieces(kinds, _):
                yield from map(memory.standing, kinds or self.kinds)
            case graph.All(graph.RecordOf(type_)):
                yield memory.written(type_)
            case graph.Cell(table, _, _):
                values = tuple(row.value for row in self.rules.tables[table].rows)
                yield from (part for inside in walk(values) for part in self._parts(inside))
            case _:
                return


def may_hold_records(type_: graph.Type) -> bool:
    """Say whether values of a type are records, or hold some, or may for all that is known of them."""
    if isinstance(type_, graph.Many):
        return may_hold_records(type_.of)
    return isinstance(type_, graph.RecordOf | graph.Nothing)
