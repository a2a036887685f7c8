"""The source texts of the declarations of a stack, and its charts as text.

In: a compiled stack and a name. Out: the source text of the statements that declare it, and grids of cells.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.rulebook.charts import PrintedChart, heading, printed_chart
from compiler.source.nodes import Reading, Statement, nested_laws
from compiler.source.package import Library, load_layer
from rulewright.explain.views.paragraph_source import cut_paragraph
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.document import DocumentRole
from runtime.graph.rows import match_text

# A longer declaration is a list of words, and is truncated.
LONGEST_DECLARATION = 60


def declaration_text(stack: Stack, name: str) -> str:
    """Return the statements that declare a name in the layers of a stack; "" if there are none.

    The lowest layer comes first; a later one may extend the declaration. `dispersed` and `unit.dispersed` are the same.
    """
    base_name = name.rpartition(".")[2]
    layers = [layer.name for layer in stack.graph.layers if layer.name in stack.library.layers] if stack.graph else []
    return "\n\n".join(
        _shortened(cut_paragraph(stack.library.texts[statement.span.file], statement.span))
        for layer in layers
        for statement in nested_laws(load_layer(stack.library, layer)[0].statements())
        if base_name in _declared(statement)
    )


def declaring_layers(library: Library, name: str) -> list[str]:
    """Return the available layers that declare a name or a label, or have this name."""
    return [layer for layer in sorted(library.layers) if layer == name or _declares(library, layer, name)]


def _declares(library: Library, layer: str, name: str) -> bool:
    """Return whether a statement, a chart or a counter of a layer has this name or label."""
    read, _ = load_layer(library, layer)
    return (
        any(name in (*_declared(each), _label(each)) for each in nested_laws(read.statements()))
        or any(name == row.id.text for chart in read.charts for row in chart.rows)
        or any(name == table.name.text for table in read.tables)
    )


def counter_text(stack: Stack, counter: graph.Counter) -> str:
    """Return the source text of the row of a counter."""
    place = counter.origin
    if place.layer not in stack.library.layers:
        return ""
    read, _ = load_layer(stack.library, place.layer)
    rows = [row for chart in read.charts for row in chart.rows]
    rows += [row for patch in read.piece_patches for row in patch.add]
    spans = [row.span for row in rows if (row.id.text, row.id.span.line) == (counter.id, place.line)]
    return cut_paragraph(stack.library.texts[place.file], spans[0]) if spans else ""


def chart_text(rules: graph.Graph, table: graph.Table) -> str:
    """Format a chart of a stack: as a grid for two keys, otherwise with a line per row."""
    chart = printed_chart(rules, table)
    names = _names_by_head(rules, table)
    heads = (f"{chart.down} \\ {chart.across}", *_named(chart.heads, names)) if chart.grid else chart.heads
    rows = [(*_named(row.heads, names), *(cell.text for cell in row.cells)) for row in chart.rows]
    return "\n".join(_columns((heads, *rows)))


def _names_by_head(rules: graph.Graph, table: graph.Table) -> dict[str, str]:
    """Return the names of members, which sources use, by the heads that the book prints instead of them."""
    pairs = [
        (heading(rules, match, key), ", ".join(match_text(each, key.type, rules.vocabulary) for each in match))
        for row in table.rows
        for match, key in zip(row.keys, table.keys, strict=False)
        if match is not None and isinstance(key.type, graph.Enum)
    ]
    return {head: name for head, name in pairs if head != name}


def _named(heads: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the heads, with the name before each that differs from it."""
    return tuple(f'{names[head]} "{head}"' if head in names else head for head in heads)


def chart_data(rules: graph.Graph, table: graph.Table) -> list[dict[str, str]]:
    """Return the cells of a chart: their names in explanations, and their values."""
    chart: PrintedChart = printed_chart(rules, table)
    cells = (cell for row in chart.rows for cell in row.cells)
    return [{"cell": cell.name, "is": cell.text} for cell in cells if cell.role is not DocumentRole.EMPTY]


def _columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Align texts in columns."""
    rows = tuple(rows)
    widths = [max(len(row[index]) for row in rows if index < len(row)) for index in range(max(map(len, rows)))]
    for row in rows:
        yield "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=False)).rstrip()


def _declared(statement: Statement | Reading) -> set[str]:
    """Return the names that a statement declares or extends."""
    items = (*getattr(statement, "items", ()), *getattr(statement, "added", ()))
    words = [getattr(statement, "name", None), *(item.name for item in items)]
    return {word.text for word in words if word is not None}


def _label(statement: Statement | Reading) -> str:
    """Return the label of a law; "" if it has none."""
    word = getattr(statement, "label", None)
    return "" if word is None else str(word.text)


def _shortened(text: str) -> str:
    """Truncate a long declaration, with the number of omitted lines."""
    lines = text.splitlines()
    return (
        text
        if len(lines) <= LONGEST_DECLARATION
        else "\n".join((*lines[:LONGEST_DECLARATION], f".. and {len(lines) - LONGEST_DECLARATION} lines more"))
    )
