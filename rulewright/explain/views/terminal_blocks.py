"""Lay the reply of a command out for a terminal.

In: a `DocumentBlock`. Out: lines that a console wraps; blocks of rules and answers are wrapped by
`runtime/graph/document_text.py`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import cast

from rich.text import Text

from runtime.graph.document import BlockRole, DocumentBlock, DocumentForm, DocumentLine, DocumentRole, DocumentSpan
from runtime.graph.document_text import block_text

# The styles of tones; a terminal without colors shows the same text.
STYLES = {"error": "bold red", "warning": "bold yellow", "gutter": "blue", "help": "bold cyan", "other": "blue"}
# The first characters of a cell with a number.
FIGURES = frozenset("+-0123456789")


def reply_text(block: DocumentBlock, width: int, *, closed: str | None = None) -> Text:
    """Return the reply of a command; `width` is that of maps. Folded lists are `closed`, as in `block_text`."""
    return Text("\n").join(_reply_lines(block, width, closed=closed))


def _reply_lines(block: DocumentBlock, width: int, *, closed: str | None) -> Iterator[Text]:
    """Yield the heading of a block, its lines, and the blocks under it, each after an empty line."""
    if block.role not in (BlockRole.REPLY, BlockRole.MAP):
        yield from map(Text, block_text(block, closed=closed).split("\n"))
        return
    if block.role is BlockRole.MAP:
        yield from cast("Callable[[int], Text]", block.data)(width).split(allow_blank=True)
    if block.title:
        tags = f"  ({', '.join(tag.text for tag in block.tags)})" if block.tags else ""
        yield Text.assemble((f"{block.number} {block.title}".strip(), "bold"), tags)
    margin = "  " if block.title else ""
    for form, lines in groupby(block.lines, lambda line: line.form):
        if form is DocumentForm.ROW:
            for row in _table([*lines]):
                yield Text.assemble(margin, row)
        else:
            for line in lines:
                yield from _entry_lines(line, margin)
    is_first = not (block.title or block.lines or block.data)
    for part in block.blocks:
        if not is_first:
            yield Text()
        is_first = False
        yield from _reply_lines(part, width, closed=closed)


def _entry_lines(line: DocumentLine, margin: str) -> Iterator[Text]:
    """Yield a line, and the entries below it."""
    yield Text.assemble(margin, *((span.text, _style(span)) for span in line.spans))
    for item in line.items:
        yield from _entry_lines(item, f"{margin}  ")


def _style(span: DocumentSpan) -> str:
    return "bold" if span.is_emphasized else STYLES.get(span.tone, "")


def _table(rows: Sequence[DocumentLine]) -> Iterator[Text]:
    """Yield the rows of a table in columns; those of figures are aligned at the right."""
    widths, has_figures = [], []
    for column in zip(*(row.spans for row in rows), strict=True):
        widths.append(max(len(cell.text) for cell in column))
        figures = [cell.text for cell, row in zip(column, rows, strict=True) if row.role is not DocumentRole.HEADINGS]
        has_figures.append(all(FIGURES.issuperset(text[:1]) for text in figures))
    for row in rows:
        line = Text()
        for cell, width, is_figure in zip(row.spans, widths, has_figures, strict=True):
            line.append(f"{cell.text.rjust(width) if is_figure else cell.text.ljust(width)}  ", _style(cell))
        line.rstrip()
        yield line
