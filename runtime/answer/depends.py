"""What an answer depends on: the arguments, the map, a few facts of the game, or everything.

In: a graph. Out: for each term, whether its answers may be kept per map, and the tracks of game
and scenario under which they are kept. Anything that looks at a piece, a mark, a note of play, a
record or the clock, itself or through the terms it asks, is not kept.
"""

from functools import cache

from runtime.graph import nodes as graph
from runtime.graph.walk import walk

PLAY = "play"
Facts = frozenset[str]


class Dependence:
    """Answers for every term of one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Nothing is worked out before it is asked."""
        self.rules = rules
        self.of_term = cache(self._of_term)

    def facts(self, name: str) -> Facts | None:
        """List the facts a term's answers depend on beside the map; None if on more than that."""
        term = self.rules.terms[name]
        if not all(isinstance(p.type, KEPT) for p in term.parameters) or not term.parameters:
            return None
        found = self.of_term(name)
        return None if PLAY in found else found

    def _of_term(self, name: str) -> Facts:
        term = self.rules.terms[name]
        parts = [self.of_node(node) for node in walk(term.otherwise)] if term.otherwise is not None else []
        if term.form == "flag" and self.rules.vocabulary.flags[name].what in ("trait", "status"):
            parts.append(frozenset((PLAY,)))
        for label in term.rules:
            rule = self.rules.rules[label]
            parts += [self.of_node(node) for node in walk((rule.names, rule.guard, rule.value))]
        return frozenset().union(*parts)

    def of_node(self, node: object) -> Facts:
        """Say what one node looks at."""
        match node:
            case graph.Ask(term, _):
                return self.of_term(term)
            case graph.Test(what, owner, name):
                return self._of_test(what, f"{owner}.{name}")
            case graph.GameTrack(owner, name):
                key = f"{owner}.{name}"
                return frozenset((key if key in self.rules.vocabulary.tracks else PLAY,))
            case graph.Cell(table, _, _):
                return frozenset().union(*(self.of_node(inner) for inner in walk(self.rules.tables[table].rows)))
            case graph.Get(_, "given", _, "name" | "board") | graph.Get(_, "record", "crossing", _):
                return frozenset()
            case graph.Has(_, "path", _, _) | graph.Op("edge", _):
                return frozenset()
            case (
                graph.Get()
                | graph.Has()
                | graph.Pieces()
                | graph.New()
                | graph.Op("payload" | "related" | "reserve", _)
            ):
                return frozenset((PLAY,))
            case graph.All(of) if isinstance(of, graph.Piece | graph.RecordOf):
                return frozenset((PLAY,))
            case graph.Spot("piece", _):
                return frozenset((PLAY,))
            case _:
                return frozenset()

    def _of_test(self, what: str, key: str) -> Facts:
        if key in self.rules.terms:
            return self.of_term(key)
        return frozenset() if what in ("feature", "cell") else frozenset((PLAY,))


# What a kept answer may be asked of: small, hashable, the same in every state of a game.
KEPT = (graph.Hex, graph.Hexside, graph.Enum, graph.Number, graph.YesNo, graph.Scale)
