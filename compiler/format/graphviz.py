"""Print a graph of rules in the language of Graphviz."""

from compiler.format.dependency_diagrams import DiagramNode, Edge, LabeledGraph

_SHAPES = {"term": "box", "rule": "box", "chart": "cylinder", "procedure": "cds"}
_STYLES = {"answers": "", "defeats": ' color="#b3261e" arrowhead="tee"', "asks": ' color="#7a8794" style="dashed"'}


def graphviz_text(diagram: LabeledGraph) -> str:
    """Format the graph; edges that answer or defeat are reversed, so that exceptions are drawn on the right."""
    lines = [
        "digraph rules {",
        '  rankdir="LR"',
        '  node [fontname="monospace" fontsize=11 style="rounded"]',
        '  edge [fontname="monospace" fontsize=9]',
        *(f"  {_node(node)}" for node in diagram.nodes.values()),
        *(f"  {_edge(edge)}" for edge in diagram.edges),
        "}",
    ]
    return "\n".join(lines)


def _node(node: DiagramNode) -> str:
    label = "\\n".join(_escaped(line) for line in (node.title, *node.lines))
    style = "" if node.kind == "rule" else ' style="filled" fillcolor="#eef1f4"'
    width = ' penwidth="2"' if node.is_middle else ""
    return f'"{_escaped(node.id)}" [label="{label}" shape="{_SHAPES[node.kind]}"{style}{width}]'


def _edge(edge: Edge) -> str:
    if edge.kind == "asks":
        return f'"{_escaped(edge.start)}" -> "{_escaped(edge.end)}" [{_STYLES[edge.kind].strip()}]'
    return (
        f'"{_escaped(edge.end)}" -> "{_escaped(edge.start)}" [dir="back"{_STYLES[edge.kind].replace("head", "tail")}]'
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
