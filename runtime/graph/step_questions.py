"""Dataflow analysis of questions about a step: the parameters that are the spaces before and after it.

In: a graph and the name of a term. Out: the names of two of its parameters. They are a step where a rule reads what
lies between them, where they are passed on to such a question, or where a procedure asks about a neighbor of a space.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.walk import nodes_of, walk

# The spaces before and after a step, as names of parameters.
Step = tuple[str, str]


def step_parameters(rules: graph.Graph, term: str) -> Step | None:
    """Return the parameters of a term that are the spaces of a step; None if it is about no step."""
    hexes = _hexes(rules.terms[term])
    if len(hexes) < 2 or any(isinstance(each.type, graph.Crossing) for each in rules.terms[term].parameters):
        return None
    return _crossed(rules, term, frozenset()) or next(_asked_of_neighbors(rules, term), None)


def _hexes(term: graph.Term) -> list[str]:
    """Return the parameters of a term that are spaces."""
    return [each.name for each in term.parameters if isinstance(each.type, graph.Hex)]


def _crossed(rules: graph.Graph, name: str, visited: frozenset[str]) -> Step | None:
    """Return the two parameters between which the rules of a term, or of one that they ask, read what lies there."""
    term = rules.terms[name]
    hexes, asks = _hexes(term), list[graph.Ask]()
    for node in walk(tuple((rule.guard, rule.value) for rule in rules_of_term(rules, term))):
        if isinstance(node, graph.Op) and node.op == "between" and (found := _pair(node.arguments, hexes)):
            return found
        if isinstance(node, graph.Ask) and node.term not in visited:
            asks.append(node)
    for each in asks if len(hexes) > 1 else ():
        if inner := _crossed(rules, each.term, visited | {name}):
            given = dict(zip((e.name for e in rules.terms[each.term].parameters), each.arguments, strict=True))
            if found := _pair(tuple(given[parameter] for parameter in inner), hexes):
                return found
    return None


def _pair(arguments: tuple[graph.Expr, ...], names: list[str]) -> Step | None:
    """Return the names of two arguments that are different variables of these names."""
    found = [each.name for each in arguments if isinstance(each, graph.Var) and each.name in names]
    return (found[0], found[1]) if len(found) == len(arguments) and len({*found}) > 1 else None


def _asked_of_neighbors(rules: graph.Graph, name: str) -> Iterator[Step]:
    """Yield the parameters for which a procedure gives a space and a neighbor of it that it chooses."""
    for procedure in rules.procedures.values():
        asks = [each for each in nodes_of(graph.Ask, procedure.body) if each.term == name]
        sources = {each.name: each.source for each in nodes_of(graph.Choose, procedure.body)} if asks else {}
        for variable, source in sources.items():
            starts = [each.arguments[0] for each in nodes_of(graph.Op, source) if each.op == "neighbors"]
            for ask in asks:
                given = {
                    each.name: value for each, value in zip(rules.terms[name].parameters, ask.arguments, strict=True)
                }
                before = [each for each, value in given.items() if value in starts]
                after = [each for each, value in given.items() if value == graph.Var(variable)]
                yield from ((first, second) for first, second in zip(before[:1], after[:1], strict=False))
