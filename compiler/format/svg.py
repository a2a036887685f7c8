"""Draw a graph of rules as SVG: boxes in columns, exceptions to the right of what they defeat.

The input is a graph; the output is self-contained SVG. A question is on the left of the rules that answer it, a rule on
the left of its exceptions and of what it queries. Each layer has a color; what does not fit into a box is in its
tooltip. Letters have the width of a monospaced font, so that boxes fit without measuring.
"""

from html import escape
from textwrap import wrap

from compiler.format.dependency_diagrams import DiagramNode, Edge, LabeledGraph
from compiler.format.layered_drawing import DrawnLayout, Point, place_nodes

LONGEST_BOX_LINE = 44  # letters in a line of a box
MOST_LINES_OF_ENTRY = 3  # for each entry of a box
LETTER = 7.25  # of 12 pixels
SMALL_LETTER = 6.35  # of 10.5
LINE_HEIGHT = 15.0
PAD = 9.0
MARGIN = 24.0
LEGEND = 30.0

# Pale enough for black letters, distinct enough for ten layers; further layers repeat the colors.
TINTS = (
    "#dcebf7", "#fdebc8", "#dff2d8", "#f6dcdc", "#e8def3", "#d6f1ee", "#f4e3d3", "#e9ecd0", "#f3d9ea", "#e3e6ea",
)  # fmt: skip
STYLE = """
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: #1c2733 }
.title { font-weight: bold } .line { font-size: 10.5px; fill: #45525f } .box { stroke: #5c6b7a; stroke-width: 1 }
.middle { stroke: #1c2733; stroke-width: 2.5 } path { fill: none } .answers { stroke: #33414e; stroke-width: 1.3 }
.defeats { stroke: #b3261e; stroke-width: 1.5 } .asks { stroke: #8fa0b0; stroke-width: 1; stroke-dasharray: 4 3 }
.tip { fill: #33414e } .tip-asks { fill: #8fa0b0 } .bar { stroke: #b3261e; stroke-width: 2 }
g:hover > .box { stroke-width: 2.5 }
"""
MARKERS = """<defs>
<marker id="answers" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
<path class="tip" d="M0 1 L8 4 L0 7 Z" style="fill:#33414e"/></marker>
<marker id="asks" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
<path class="tip-asks" d="M0 1 L8 4 L0 7 Z" style="fill:#8fa0b0"/></marker>
<marker id="defeats" viewBox="0 0 4 10" refX="3" refY="5" markerWidth="4" markerHeight="10" orient="auto-start-reverse">
<path class="bar" d="M2 0 V10"/></marker>
</defs>"""


def svg_text(diagram: LabeledGraph, title: str) -> str:
    """Draw a graph."""
    placed = place_nodes(
        {name: _size(node) for name, node in diagram.nodes.items()},
        [((edge.start, edge.end) if edge.kind == "asks" else (edge.end, edge.start)) for edge in diagram.edges],
    )
    layers = sorted({node.layer for node in diagram.nodes.values()})
    tints = {layer: TINTS[index % len(TINTS)] for index, layer in enumerate(layers)}
    legend = _legend(diagram, tints)
    width = max(placed.size[0], sum(len(word) * LETTER + 46 for word, _ in legend)) + 2 * MARGIN
    height = placed.size[1] + 2 * MARGIN + LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        MARKERS,
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
        f'<g transform="translate({MARGIN:.0f} {MARGIN:.0f})">',
        *(_edge(edge, route) for edge, route in zip(diagram.edges, placed.routes, strict=True)),
        *(_node(node, placed, tints[node.layer]) for node in diagram.nodes.values()),
        "</g>",
        f'<g transform="translate({MARGIN:.0f} {height - MARGIN / 2:.0f})">',
        *_draw_legend(legend),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# ---------------------------------------------------------------- boxes


def _size(node: DiagramNode) -> tuple[float, float]:
    lines = _lines(node)
    widest = max([len(node.title) * LETTER, *(len(line) * SMALL_LETTER for line in lines)])
    return (widest + 2 * PAD, (1 + len(lines)) * LINE_HEIGHT + PAD)


def _lines(node: DiagramNode) -> list[str]:
    """Shorten the text of a node to the size of its box; the tooltip has the rest."""
    return [
        line
        for text in node.lines
        for line in wrap(text, LONGEST_BOX_LINE, max_lines=MOST_LINES_OF_ENTRY, placeholder=" …")
    ]


def _node(node: DiagramNode, placed: DrawnLayout, tint: str) -> str:
    """Draw a box: rounded for rules, with a double edge for charts, pointed for procedures."""
    left, top, width, height = placed.boxes[node.id]
    middle = " middle" if node.is_middle else ""
    box = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
    corner = {"rule": 8, "procedure": 14}.get(node.kind, 0)
    tooltip = "\n".join((f"{node.kind} {node.title}", *node.lines, f"layer {node.layer}"))
    lines = [
        f'<text class="{"line" if number else "title"}" x="{left + PAD:.1f}" '
        f'y="{top + PAD / 2 + LINE_HEIGHT * (number + 0.75):.1f}">{escape(line)}</text>'
        for number, line in enumerate((node.title, *_lines(node)))
    ]
    inner = ""
    if node.kind == "chart":
        sides = " ".join(f"M{x:.1f} {top:.1f} v{height:.1f}" for x in (left + 4, left + width - 4))
        inner = f'<path class="box" d="{sides}"/>'
    return (
        f"<g><title>{escape(tooltip)}</title>"
        f'<rect class="box{middle}" {box} rx="{corner}" fill="{tint}"/>{inner}{"".join(lines)}</g>'
    )


# ---------------------------------------------------------------- edges


def _edge(edge: Edge, route: tuple[Point, ...]) -> str:
    """Draw an edge; its tip has the direction of the relation, not that of the drawing."""
    tip = "marker-end" if edge.kind == "asks" else "marker-start"
    tooltip = f"{edge.start.partition(' ')[2]} {edge.kind} {edge.end.partition(' ')[2]}"
    return (
        f'<g><title>{escape(tooltip)}</title><path class="{edge.kind}" '
        f'd="{_curve(route)}" {tip}="url(#{edge.kind})"/></g>'
    )


def _curve(route: tuple[Point, ...]) -> str:
    """Format a route as an SVG path: a curve from column to column, a straight line past one."""
    (x, y), *others = route
    path = [f"M{x:.1f} {y:.1f}"]
    for number, (to_x, to_y) in enumerate(others):
        if number % 2:
            path.append(f"L{to_x:.1f} {to_y:.1f}")
        else:
            half = (x + to_x) / 2
            path.append(f"C{half:.1f} {y:.1f} {half:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return " ".join(path)


# ---------------------------------------------------------------- the legend


def _legend(diagram: LabeledGraph, tints: dict[str, str]) -> list[tuple[str, str]]:
    """Return the entries of the legend: a word, and its tint or its kind of edge."""
    kinds = [kind for kind in ("answers", "defeats", "asks") if any(edge.kind == kind for edge in diagram.edges)]
    return [*((layer, tint) for layer, tint in tints.items()), *((kind, "") for kind in kinds)]


def _draw_legend(legend: list[tuple[str, str]]) -> list[str]:
    elements = []
    left = 0.0
    for word, tint in legend:
        if tint:
            elements.append(f'<rect class="box" x="{left:.1f}" y="-11" width="20" height="13" fill="{tint}"/>')
        else:
            elements.append(f'<path class="{word}" d="M{left:.1f} -4 h24" marker-end="url(#{word})"/>')
        elements.append(f'<text x="{left + 29:.1f}" y="0">{escape(word)}</text>')
        left += len(word) * LETTER + 46
    return elements
