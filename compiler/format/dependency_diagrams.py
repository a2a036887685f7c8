"""The graph of a stack: which rules answer a question, which defeat others, and what they query; as DOT for Graphviz.

The input is a rule graph, and a central term or rule; the output is nodes and edges up to a distance from it. Without a
center, the output is all questions, charts and procedures, with the rules of a question folded into it.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from compiler.analysis.expression_text import ExpressionWriter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk


class _DiagramNode(NamedTuple):
    """A term, rule, chart or procedure; `lines` describe it, `layer` is where it is declared."""

    id: str
    kind: str  # term | rule | chart | procedure
    title: str
    lines: tuple[str, ...]
    layer: str


class Edge(NamedTuple):
    """`start` answers, defeats or asks `end`."""

    start: str
    end: str
    kind: str  # answers | defeats | asks


@frozen_dataclass
class _LabeledGraph:
    """Nodes by id and edges between them, both in a deterministic order; `middle` is the id of the central one."""

    nodes: dict[str, _DiagramNode]
    edges: tuple[Edge, ...]
    middle: str = ""


def stack_diagram(rules: graph.Graph) -> _LabeledGraph:
    """Return all questions, charts and querying procedures, with what each queries."""
    edges = []
    for edge in _edges(rules):
        if edge.kind == "asks":
            kind, _, name = edge.start.partition(" ")
            starts = [f"term {term}" for term in rules.rules[name].terms] if kind == "rule" else [edge.start]
            edges += [Edge(start, edge.end, "asks") for start in starts if start != edge.end]
    ids = {end for edge in edges for end in edge[:2]}
    ids |= {*(f"term {name}" for name in rules.terms), *(f"chart {name}" for name in rules.tables)}
    return _labeled_graph(rules, ids, sorted(edges))


def diagram_around(rules: graph.Graph, kind: str, name: str, depth: int) -> _LabeledGraph:
    """Return a term with its rules, or a rule, and what is up to `depth` edges from these, in either direction."""
    edges = [*_edges(rules)]
    middle = f"{kind} {name}"
    ids = {middle, *(f"rule {label}" for label in (rules.terms[name].rules if kind == "term" else ()))}
    for _ in range(depth):
        ids |= {end for edge in edges for end in edge[:2] if not ids.isdisjoint(edge[:2])}
    return _labeled_graph(rules, ids, (edge for edge in edges if ids.issuperset(edge[:2])), middle)


def _edges(rules: graph.Graph) -> Iterator[Edge]:
    """Yield what each rule answers or defeats, and what rules, defaults of terms and procedures query."""
    for label, rule in rules.rules.items():
        start = f"rule {label}"
        # For a rule that defeats another, the answered question is implied.
        yield from (Edge(start, f"rule {other}", "defeats") for other in rule.defeats)
        yield from (Edge(start, f"term {term}", "answers") for term in rule.terms if not rule.defeats)
        yield from _queries(rules, start, (rule.value, rule.names, rule.guard))
    for name, term in rules.terms.items():
        yield from _queries(rules, f"term {name}", term.otherwise)
    for key, procedure in rules.procedures.items():
        yield from _queries(rules, f"procedure {key}", procedure.body)


def _queries(rules: graph.Graph, start: str, nodes: object) -> Iterator[Edge]:
    for node in walk(nodes):
        match node:
            case graph.Ask(term):
                yield Edge(start, f"term {term}", "asks")
            case graph.Cell(table):
                yield Edge(start, f"chart {table}", "asks")
            case graph.Test(_, owner, name) if f"{owner}.{name}" in rules.terms:
                yield Edge(start, f"term {owner}.{name}", "asks")


def _labeled_graph(rules: graph.Graph, ids: Iterable[str], edges: Iterable[Edge], middle: str = "") -> _LabeledGraph:
    return _LabeledGraph({id_: _node(rules, id_) for id_ in sorted(ids)}, tuple(dict.fromkeys(edges)), middle)


def _node(rules: graph.Graph, id_: str) -> _DiagramNode:
    """Build the node of an id."""
    kind, _, name = id_.partition(" ")
    match kind:
        case "term":
            term = rules.terms[name]
            lines = [f"{term.form}, {words.counted_noun(len(term.rules), 'rule')}"]
            lines += [f"“{term.reads}”"] if term.reads else []
            return _DiagramNode(id_, kind, name, tuple(lines), term.origin.layer)
        case "chart":
            return _DiagramNode(id_, kind, name, ("chart",), rules.tables[name].origin.layer)
        case "rule":
            rule = rules.rules[name]
            writer = ExpressionWriter(rules.vocabulary)
            guard = f"when {writer.text(rule.guard)}" if rule.guard is not None else ""
            lines = [line for line in (writer.conclusion_text(rule), guard) if line]
            return _DiagramNode(id_, kind, name, tuple(lines), rule.origin.layer)
        case _:
            procedure = rules.procedures[name]
            return _DiagramNode(id_, kind, procedure.name or name, (procedure.what,), procedure.origin.layer)


_SHAPES = {"term": "box", "rule": "box", "chart": "cylinder", "procedure": "cds"}


def graphviz_text(diagram: _LabeledGraph) -> str:
    """Format the graph as DOT; edges that answer or defeat are reversed, so that exceptions are drawn on the right."""
    lines = ["digraph rules {", '  rankdir="LR"', '  node [fontname="monospace" fontsize=11 style="rounded"]']
    for node in diagram.nodes.values():
        label = "\\n".join(_escaped(line) for line in (node.title, *node.lines))
        style = "" if node.kind == "rule" else ' style="filled" fillcolor="#eef1f4"'
        width = ' penwidth="2"' if node.id == diagram.middle else ""
        lines.append(f'  "{_escaped(node.id)}" [label="{label}" shape="{_SHAPES[node.kind]}"{style}{width}]')
    for edge in diagram.edges:
        start, end = _escaped(edge.start), _escaped(edge.end)
        match edge.kind:
            case "asks":
                lines.append(f'  "{start}" -> "{end}" [color="#7a8794" style="dashed"]')
            case "defeats":
                lines.append(f'  "{end}" -> "{start}" [dir="back" color="#b3261e" arrowtail="tee"]')
            case _:
                lines.append(f'  "{end}" -> "{start}" [dir="back"]')
    return "\n".join([*lines, "}"])


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
