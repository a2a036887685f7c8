"""The pairs of hexes between which a term reads the hexside, so that it is about a step from one to the other.

In: the name of a term. Out: pairs of indices of its parameters. Two hexes that are no neighbors have no hexside between
them, and the rules on hexsides say nothing of them.
"""

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def hexsides_read(rules: graph.Graph, name: str) -> frozenset[tuple[int, int]]:
    """Return the pairs of parameters whose hexside a term reads, itself or by terms that it asks with both."""
    found: dict[str, frozenset[tuple[int, int]]] = {}

    def pairs_of(name: str) -> frozenset[tuple[int, int]]:
        if name not in found:
            found[name] = frozenset()
            term = rules.terms[name]
            places = {parameter.name: index for index, parameter in enumerate(term.parameters)}
            nodes = walk((term.otherwise, *(rules.rules[label] for label in term.rules)))
            read = (pair for node in nodes for pair in _operand_pairs(node))
            found[name] = frozenset((places[a], places[b]) for a, b in read if a in places and b in places)
        return found[name]

    def _operand_pairs(node: object) -> list[tuple[str, str]]:
        match node:
            case graph.Op("between", (graph.Var(a), graph.Var(b))):
                return [(a, b)]
            case graph.Ask(term, arguments):
                pairs = ((arguments[i], arguments[j]) for i, j in pairs_of(term))
                return [(a.name, b.name) for a, b in pairs if isinstance(a, graph.Var) and isinstance(b, graph.Var)]
            case _:
                return []

    return pairs_of(name)
