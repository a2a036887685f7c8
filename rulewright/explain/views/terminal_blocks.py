"""Lay a block of the document tree out for a terminal.

In: a `DocumentBlock`. Out: text of at most 118 columns.
"""

import textwrap
from collections.abc import Iterable, Iterator

from runtime.graph.document import BlockRole, DocumentBlock, DocumentForm, DocumentLine


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
