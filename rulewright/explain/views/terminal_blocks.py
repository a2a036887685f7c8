"""Lay a block of the document tree out for a terminal.

In: a `DocumentBlock`. Out: text of at most 118 columns; of the reply of a command, lines that its console wraps.
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import cast

from rich.text import Text

from runtime.graph.document import BlockRole, DocumentBlock, DocumentForm, DocumentLine, DocumentRole, DocumentSpan

# The styles of tones; a terminal without colors shows the same text.
STYLES = {"error": "bold red", "warning": "bold yellow", "gutter": "blue", "help": "bold cyan", "other": "blue"}
# The first characters of a cell with a number.
FIGURES = frozenset("+-0123456789")


def reply_text(block: DocumentBlock, width: int) -> Text:
    """Return the reply of a command; `width` is that of maps."""
    return Text("\n").join(_reply_lines(block, width))


def _reply_lines(block: DocumentBlock, width: int) -> Iterator[Text]:
    """Yield the heading of a block, its lines, and the blocks under it, each after an empty line."""
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
        yield from _reply_lines(part, width)


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


def block_text(block: DocumentBlock) -> str:
    """Return a block with its heading, its lines, and the rulings beside it."""
    lines = [*_heading_lines(block), *_block_lines(block)]
    for ruling in block.blocks_of(BlockRole.RULING):
        lines += ["", *_heading_lines(ruling), *_block_lines(ruling)]
    return "\n".join(lines)


def _heading_lines(block: DocumentBlock) -> list[str]:
    title = f"Ruling {block.number}" if block.role is BlockRole.RULING else f"{block.number} {block.title}"
    tags = f" ({', '.join(tag.text for tag in block.tags)})" if block.tags else ""
    return hanging_indent("", f"{title.strip()}{tags}", "  ")


def _block_lines(block: DocumentBlock) -> Iterator[str]:
    if block.text_block:
        yield from _block_lines(block.text_block)
    for line in block.lines_of(DocumentForm.SENTENCE, DocumentForm.FOLDED):
        yield from _line(line, "  ")
    notes = block.lines_of(DocumentForm.NOTE, DocumentForm.SOURCE)
    if notes:
        yield from hanging_indent("  ", " ".join(f"{note.opening} {_text(note)}".strip() for note in notes), "  ")
    for quote in block.lines_of(DocumentForm.QUOTE):
        yield from _line(quote, "  ")


def _line(line: DocumentLine, margin: str) -> Iterator[str]:
    """Yield a line and the list that it opens."""
    opening = f"{line.opening}: " if line.form is DocumentForm.FOLDED else f"{line.opening} "
    yield from hanging_indent(f"{margin}{opening.lstrip()}", _text(line), f"{margin}  ")
    yield from _listed(line.items, f"{margin}  ")


def _listed(items: Iterable[DocumentLine], margin: str) -> Iterator[str]:
    """Yield the items of a list, and the lists under them."""
    for item in items:
        yield from hanging_indent(f"{margin}- ", _text(item))
        yield from _listed(item.items, f"{margin}  ")


def _text(line: DocumentLine) -> str:
    return "".join(f"{span.number} {span.text}" if span.number else span.text for span in line.spans)


def hanging_indent(head: str, text: str, margin: str | None = None) -> list[str]:
    """Return the lines of a long text, with a hanging indent after its head."""
    return textwrap.wrap(
        text,
        118,
        initial_indent=head,
        subsequent_indent=" " * len(head) if margin is None else margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
