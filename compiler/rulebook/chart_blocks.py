"""Build the blocks of charts: their rows, and what explains them.

In: the builder of the lines of an edition, and a chart. Out: a `DocumentBlock`.
"""

from collections.abc import Iterator

from compiler.rulebook.charts import ChartCell, PrintedChart
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.line_builder import LineBuilder, cells_of, label_line, row_line, strong, text_line
from compiler.rulebook.links import address_part
from runtime.graph import words
from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan


def chart_block(lines: LineBuilder, chart: PrintedChart) -> DocumentBlock:
    """Build a chart with what explains it."""
    chart_lines = lines.in_edition((*_rows(lines, chart), *_explanations(lines, chart)))
    return DocumentBlock(BlockRole.CHART, ("chart", chart.name), title=chart.title, lines=chart_lines)


def _rows(lines: LineBuilder, chart: PrintedChart) -> Iterator[DocumentLine]:
    """Yield the heads of the columns, and the rows."""
    corner = ("",) if chart.grid else ()
    yield row_line(cells_of(DocumentRole.COLUMN, (*corner, *chart.heads)))
    has_notes = lines.edition in DocumentRole.CELL_SOURCES.editions
    for row in chart.rows:
        first, *others = row.heads
        cells = [text_line(DocumentRole.ROW_HEAD, first), *cells_of(DocumentRole.GIVEN, others)]
        cells += (_cell(chart, cell, has_note=has_notes and bool(cell.note)) for cell in row.cells)
        yield row_line(cells)


def _cell(chart: PrintedChart, cell: ChartCell, *, has_note: bool) -> DocumentLine:
    """Return a cell; the letter of its note refers to the sources below the chart."""
    key = _note_key(chart, cell.note)
    letter = DocumentSpan(cell.note, key, address=f"charts.html#{key[1]}", is_raised=True) if has_note else ""
    return text_line(cell.role, cell.text, letter, key=None if cell.role is DocumentRole.EMPTY else ("cell", cell.name))


def _note_key(chart: PrintedChart, letter: str) -> BookKey:
    return ("note", f"{address_part(chart.name)}-note-{letter}")


def _explanations(lines: LineBuilder, chart: PrintedChart) -> Iterator[DocumentLine]:
    """Yield the codes, what heads and numbers mean, the sources of the chart and of its cells, and who reads it."""
    codes = [part for code, sense in chart.codes for part in ("; ", strong(code), f" {sense}")]
    if codes:
        yield text_line(DocumentRole.CODES, *codes[1:], ".")
    keys = f"{chart.down} down, {chart.across} across" if chart.grid else ""
    is_unsaid = chart.grid or len(chart.measures) > 1  # A column of one measure has it for its head.
    measures = f"numbers {words.list_text(list(chart.measures), 'or')}" if chart.measures and is_unsaid else ""
    if explained := "; ".join(filter(None, (keys, measures))):
        yield text_line(DocumentRole.REMARK, words.sentence(explained))
    yield from lines.sources(chart.cites)
    for letter, cites in chart.notes:
        sources = lines.sources(cites)
        yield text_line(DocumentRole.CELL_SOURCES, strong(letter), items=sources, key=_note_key(chart, letter))
    if chart.edition:
        yield text_line(DocumentRole.SCREEN_REMARK, f"On paper only the {chart.edition}’s edition prints this chart.")
    if readers := lines.contents.mentions.readers.get(("chart", chart.name)):
        yield text_line(DocumentRole.SCREEN_REMARK, "Used by ", *lines.names(readers), ".")
    yield label_line("chart", chart.name)
