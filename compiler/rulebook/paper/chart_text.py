"""Charts as text for typst: headings, link targets, boxes in the order of the lines, and the meanings of codes.

The input is a chart; the output is text for typst.
"""

from collections.abc import Iterable

from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.paper.typeset import anchor, escape, quote


def chart_heading(title: str) -> str:
    """Format the title of a chart as a heading that the contents list."""
    return f"#chart_heading[{escape(title)}]"


def chart_place(chart: PrintedChart) -> str:
    """Format the link target of a chart."""
    return f'#metadata("x")#label({quote(anchor(("chart", chart.name)))})'


def codes_text(codes: Iterable[tuple[str, str]]) -> str:
    """Format the meanings of codes."""
    return "; ".join(f"*{escape(code)}* {escape(sense)}" for code, sense in codes)


def chart_boxes(chart: PrintedChart) -> list[str]:
    """Return the boxes of a chart, line by line, heads first."""
    boxes = ["head[]"] if chart.grid else []
    boxes += [f"head[{escape(head)}]" for head in chart.heads]
    for row in chart.rows:
        first, *others = map(escape, row.heads)
        boxes += [f"[*{first}*]", *(f"[{head}]" for head in others)]
        boxes += [f"[{escape(cell.text)}{f'#super[{cell.note}]' if cell.note else ''}]" for cell in row.cells]
    return boxes


def column_count(chart: PrintedChart) -> int:
    """Return the number of columns of a chart, including that of its row heads."""
    return len(chart.heads) + (1 if chart.grid else 0)
