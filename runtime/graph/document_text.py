"""Lay a block of the document tree out as plain text, for a terminal.

In: a `DocumentBlock`. Out: text of at most 118 columns. Of a folded list only its length is shown if it is `closed`,
with what opens it; None for open lists.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from runtime.graph.document import BlockRole, DocumentBlock, DocumentForm, DocumentLine, DocumentSpan

# Forms that are printed in one paragraph where they follow each other.
_JOINED = frozenset({DocumentForm.NOTE, DocumentForm.SOURCE})


def block_text(block: DocumentBlock, *, closed: str | None = None) -> str:
    """Return a block with its heading, its lines, and the blocks under it."""
    lines = [*_heading_lines(block), *_block_lines(block, closed=closed)]
    for part in block.blocks:
        lines += ["", block_text(part, closed=closed)]
    return "\n".join(lines)


def blocks_text(blocks: Iterable[DocumentBlock], *, closed: str | None = None) -> str:
    """Return blocks one below the other."""
    return "\n".join(block_text(block, closed=closed) for block in blocks)


def _heading_lines(block: DocumentBlock) -> list[str]:
    heading = block.heading or DocumentSpan(block.title, number=block.number)
    title = f"Ruling {block.number}" if block.role is BlockRole.RULING else f"{heading.number} {heading.text}"
    tags = f" ({', '.join(tag.text for tag in block.tags)})" if block.tags else ""
    return _hanging_indent("", f"{title.strip()}{tags}", "  ")


def _block_lines(block: DocumentBlock, *, closed: str | None) -> Iterator[str]:
    if block.text_block:
        yield from _block_lines(block.text_block, closed=closed)
    for is_joined, group in groupby(block.lines, lambda line: line.form in _JOINED):
        if is_joined:
            notes = tuple(group)
            yield from _paragraph(notes)
            for note in notes:
                yield from _listed(note, "    ")
            continue
        for line in group:
            yield from _line(line, closed=closed)


def _paragraph(notes: Sequence[DocumentLine]) -> list[str]:
    return _hanging_indent("  ", " ".join(f"{note.opening} {line_text(note)}".strip() for note in notes), "  ")


def _line(line: DocumentLine, *, closed: str | None) -> Iterator[str]:
    """Yield a line and the list that it opens."""
    if line.form is DocumentForm.FOLDED and line.items and closed is not None:
        yield f"  {line.opening}: {len(line.items)}{closed}"
        return
    opening = f"{line.opening}: " if line.form is DocumentForm.FOLDED else f"{line.opening} "
    yield from _hanging_indent("  ", f"{opening}{line_text(line)}".strip(), "    ")
    yield from _listed(line, "    ")


def _listed(line: DocumentLine, margin: str) -> Iterator[str]:
    """Yield the items of a list, and the lists under them; those of the line's own role have its opening."""
    for item in line.items:
        opening = "" if item.role is line.role else f"{item.opening} "
        yield from _hanging_indent(f"{margin}- ", f"{opening}{line_text(item)}".strip())
        yield from _listed(item, f"{margin}  ")


def line_text(line: DocumentLine) -> str:
    """Return the text of a line, without its opening and its items."""
    return "".join(f"{span.number} {span.text}" if span.number else span.text for span in line.spans)


def _hanging_indent(head: str, text: str, margin: str | None = None) -> list[str]:
    """Return the lines of a long text, with a hanging indent after its head."""
    return textwrap.wrap(
        text,
        118,
        initial_indent=head,
        subsequent_indent=" " * len(head) if margin is None else margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
