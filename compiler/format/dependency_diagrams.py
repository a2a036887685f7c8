"""The graph of a stack for drawings: which rules answer a question, which defeat others, and what they query.

The input is a rule graph, and a central term or rule; the output is nodes and edges up to a distance from it. Without a
center, the output is all questions and charts, with their rules folded into them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from compiler.analysis.expression_text import ExpressionWriter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A term, rule, chart or procedure; `lines` describe it, `layer` is where it is declared."""

    id: str
    kind: str  # term | rule | chart | procedure
    title: str
    lines: tuple[str, ...]
    layer: str
    is_middle: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """`start` answers, defeats or asks `end`."""

    start: str
    end: str
    kind: str  # answers | defeats | asks


@dataclass(frozen=True, slots=True)
class LabeledGraph:
    """Nodes by id and edges between them, both in a deterministic order."""

    nodes: dict[str, DiagramNode]
    edges: tuple[Edge, ...]


def stack_diagram(rules: graph.Graph) -> LabeledGraph:
    """Return all questions and charts, with what each queries."""
    asks = _QueryEdges(rules)
    nodes = {node for node in asks.nodes if not node.startswith("procedure") or asks.queries_of(node)}
    return _labeled_graph(rules, nodes, asks.edges_between(nodes), ())


def term_diagram(rules: graph.Graph, term: str, depth: int) -> LabeledGraph:
    """Return a question with its rules, what these query, and what queries it, up to `depth` steps each way."""
    asks = _QueryEdges(rules)
    middle = _term_id(term)
    own_rules = [_rule_id(label) for label in rules.terms[term].rules]
    neighborhood = {
        middle,
        *_nodes_within(middle, asks.queries_of, depth),
        *_nodes_within(middle, asks.askers, depth),
    }
    own_edges = [*_own_edges(rules, rules.terms[term].rules), *asks.edges_of_rules(rules.terms[term].rules)]
    folded = [edge for edge in asks.edges_between(neighborhood) if edge.start != middle]
    if rules.terms[term].otherwise is not None:
        own_edges += (Edge(middle, end, "asks") for end in asks.queries_in(rules.terms[term].otherwise))
    nodes = {*neighborhood, *own_rules}
    return _labeled_graph(
        rules, nodes, [*(edge for edge in own_edges if edge.end in nodes and edge.start in nodes), *folded], (middle,)
    )


def rule_diagram(rules: graph.Graph, label: str, depth: int) -> LabeledGraph:
    """Return a rule, the questions it answers, the rules that it defeats or that defeat it, and what these query."""

    def opponents(node: str) -> Iterable[str]:
        rule = rules.rules[node.removeprefix("rule ")]
        defeaters = (other.label for other in rules.rules.values() if rule.label in other.defeats)
        return map(_rule_id, (*rule.defeats, *defeaters))

    asks = _QueryEdges(rules)
    middle = _rule_id(label)
    labels = [node.removeprefix("rule ") for node in (middle, *_nodes_within(middle, opponents, depth))]
    edges = [*_own_edges(rules, labels), *asks.edges_of_rules(labels)]
    nodes = {end for edge in edges for end in (edge.start, edge.end) if _is_rule_of(end, labels)}
    return _labeled_graph(
        rules, {middle, *nodes}, [edge for edge in edges if {edge.start, edge.end} <= nodes], (middle,)
    )


def _is_rule_of(node: str, labels: list[str]) -> bool:
    """Return whether a node is no rule, or one of these."""
    return not node.startswith("rule ") or node.removeprefix("rule ") in labels


# ---------------------------------------------------------------- edges


def _own_edges(rules: graph.Graph, labels: Iterable[str]) -> Iterator[Edge]:
    """Return what rules answer and defeat; for a rule that defeats another, the answered question is implied."""
    for label in labels:
        rule = rules.rules[label]
        if not rule.defeats:
            yield from (Edge(_rule_id(label), _term_id(term), "answers") for term in rule.terms)
        yield from (Edge(_rule_id(label), _rule_id(other), "defeats") for other in rule.defeats)


class _QueryEdges:
    """The edges from nodes to what they query in one graph, with the rules of a question folded into it."""

    def __init__(self, rules: graph.Graph) -> None:
        self._rules = rules
        self._queries_by_node: dict[str, list[str]] = {}
        for name, term in rules.terms.items():
            parts = [term.otherwise, *(self._says(label) for label in term.rules)]
            self._queries_by_node[_term_id(name)] = [
                each for each in self.queries_in(tuple(parts)) if each != _term_id(name)
            ]
        for key, procedure in rules.procedures.items():
            self._queries_by_node[f"procedure {key}"] = self.queries_in(procedure.body)
        self.nodes = {*self._queries_by_node, *(_chart_id(name) for name in rules.tables)}

    def _says(self, label: str) -> tuple[object, ...]:
        rule = self._rules.rules[label]
        return (rule.value, rule.names, rule.guard)

    def queries_in(self, node: object) -> list[str]:
        """Return the questions and charts that are queried inside nodes, each once."""
        found = []
        for each in walk(node):
            match each:
                case graph.Ask(term):
                    found.append(_term_id(term))
                case graph.Cell(table):
                    found.append(_chart_id(table))
                case graph.Test(_, owner, name) if f"{owner}.{name}" in self._rules.terms:
                    found.append(_term_id(f"{owner}.{name}"))
        return list(dict.fromkeys(found))

    def queries_of(self, node: str) -> list[str]:
        """Return what a node queries."""
        return self._queries_by_node.get(node, [])

    def askers(self, node: str) -> list[str]:
        """Return the nodes that query a node."""
        return [asker for asker, ends in self._queries_by_node.items() if node in ends]

    def edges_of_rules(self, labels: Iterable[str]) -> list[Edge]:
        """Return what rules query, rule by rule."""
        return [Edge(_rule_id(label), end, "asks") for label in labels for end in self.queries_in(self._says(label))]

    def edges_between(self, nodes: set[str]) -> list[Edge]:
        """Return the queries between the nodes of a set."""
        return [Edge(node, end, "asks") for node in sorted(nodes) for end in self.queries_of(node) if end in nodes]


def _nodes_within(start: str, steps: Callable[[str], Iterable[str]], depth: int) -> list[str]:
    """Return the nodes up to a distance from one, nearest first."""
    seen = {start: None}
    frontier = [start]
    for _ in range(depth):
        frontier = [
            node
            for node in dict.fromkeys(neighbor for frontier_node in frontier for neighbor in steps(frontier_node))
            if node not in seen
        ]
        seen |= dict.fromkeys(frontier)
    return list(seen)


# ---------------------------------------------------------------- nodes


def _labeled_graph(
    rules: graph.Graph, node_ids: set[str], edges: Iterable[Edge], middle: tuple[str, ...]
) -> LabeledGraph:
    nodes = {node: _node(rules, node) for node in sorted(node_ids)}
    for node in middle:
        nodes[node] = replace(nodes[node], is_middle=True)
    return LabeledGraph(nodes, tuple(dict.fromkeys(edges)))


def _node(rules: graph.Graph, node: str) -> DiagramNode:
    """Build the drawn node of an id."""
    kind, _, name = node.partition(" ")
    match kind:
        case "term":
            term = rules.terms[name]
            lines = (_form(term), f"“{term.reads}”" if term.reads else "")
            return DiagramNode(node, kind, name, tuple(filter(None, lines)), term.origin.layer)
        case "chart":
            return DiagramNode(node, kind, name, ("chart",), rules.tables[name].origin.layer)
        case "rule":
            rule = rules.rules[name]
            writer = ExpressionWriter(rules.vocabulary)
            guard = f"when {writer.text(rule.guard)}" if rule.guard is not None else ""
            lines = (writer.conclusion_text(rule), guard)
            return DiagramNode(node, kind, name, tuple(filter(None, lines)), rule.origin.layer)
        case _:
            procedure = rules.procedures[name]
            return DiagramNode(node, kind, procedure.name or name, (procedure.what,), procedure.origin.layer)


def _form(term: graph.Term) -> str:
    return f"{term.form}, {words.counted_noun(len(term.rules), 'rule')}"


def _term_id(name: str) -> str:
    return f"term {name}"


def _rule_id(label: str) -> str:
    return f"rule {label}"


def _chart_id(name: str) -> str:
    return f"chart {name}"
