"""Charts as text for typst: headings, link targets, boxes in the order of the lines, and the meanings of codes.

The input is a chart; the output is text for typst.
"""

from collections.abc import Callable, Iterable, Mapping

from compiler.rulebook.charts import ChartCell, PrintedChart
from compiler.rulebook.paper.abridged import chart_abbreviations, head_lines
from compiler.rulebook.paper.typeset import anchor, escape, quote


def chart_heading(title: str) -> str:
    """Format the title of a chart as a heading that the contents list."""
    return f"#chart_heading[{escape(title)}]"


def chart_place(chart: PrintedChart) -> str:
    """Format the link target of a chart."""
    return f'#metadata("x")#label({quote(anchor(("chart", chart.name)))})'


def chart_codes(chart: PrintedChart) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """Return abbreviations for words of a wide chart, and all codes with their meanings."""
    short, senses = chart_abbreviations(chart), dict(chart.codes)
    codes = [(code, sense) for code, sense in chart.codes if code not in short]
    codes += [(code, f"{word}, {senses[word]}" if word in senses else word) for word, code in short.items()]
    return short, tuple(codes)


def codes_text(codes: Iterable[tuple[str, str]]) -> str:
    """Format the meanings of codes."""
    return "; ".join(f"*{escape(code)}* {escape(sense)}" for code, sense in codes)


def chart_boxes(
    chart: PrintedChart, says: Callable[[ChartCell], str], short: Mapping[str, str], *, is_low: bool = False
) -> list[str]:
    """Return the boxes of a chart, line by line, heads first; in a list the heads of rows are abbreviated, too.

    Heads that widen the chart have two lines, unless height is scarcer than width (`is_low`).
    """
    lines = {head: (head,) for head in chart.heads} if is_low else head_lines(chart)
    boxes = ["head[]"] if chart.grid else []
    boxes += [f"head[{head}]" for head in (" \\ ".join(map(escape, lines[each])) for each in chart.heads)]
    for row in chart.rows:
        heads = [escape(short.get(head, head)) for head in row.heads]
        boxes += [f"[*{head}*]" if index == 0 else f"[{head}]" for index, head in enumerate(heads)]
        boxes += [f"[{says(cell)}]" for cell in row.cells]
    return boxes


def column_count(chart: PrintedChart) -> int:
    """Return the number of columns of a chart, including that of its row heads."""
    return len(chart.heads) + (1 if chart.grid else 0)
