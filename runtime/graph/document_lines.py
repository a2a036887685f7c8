"""Blocks and lines of the document tree from texts, for what commands reply.

In: texts; an empty one makes no line. Out: lines for the roles that replies have, and the block of a reply.
"""

from collections.abc import Iterable, Iterator, Sequence

from runtime.graph.document import BlockRole, DocumentBlock, DocumentLine, DocumentRole, DocumentSpan, DocumentTag

# A sentence may stand for its line; "" for none.
LineText = str | DocumentLine


def reply_block(
    *lines: LineText,
    title: str = "",
    tags: Iterable[tuple[str, str]] = (),
    blocks: Iterable[DocumentBlock] = (),
) -> DocumentBlock:
    """Build a block of a reply; `tags` are words beside the title, each with its class."""
    return DocumentBlock(
        BlockRole.REPLY,
        title=title,
        tags=tuple(DocumentTag(text, kind) for text, kind in tags if text),
        lines=tuple(_lines(lines, DocumentRole.PROSE)),
        blocks=tuple(blocks),
    )


def listing(head: LineText, entries: Iterable[LineText]) -> DocumentLine:
    """Build a line with the entries below it."""
    (line,) = _lines((head,), DocumentRole.PROSE)
    return DocumentLine(line.role, line.spans, (*line.items, *_lines(entries, DocumentRole.ENTRY)))


def headed_line(head: str, text: str = "") -> DocumentLine:
    """Build a line that begins with a name."""
    return DocumentLine(DocumentRole.PROSE, (DocumentSpan(head, is_emphasized=True), DocumentSpan(text)))


def drawn_lines(text: str) -> tuple[DocumentLine, ...]:
    """Build the lines of a text whose columns matter."""
    return tuple(DocumentLine(DocumentRole.DRAWN, (DocumentSpan(line),)) for line in text.rstrip("\n").split("\n"))


def table_lines(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[DocumentLine, ...]:
    """Build the lines of a table."""
    head = DocumentLine(DocumentRole.HEADINGS, tuple(DocumentSpan(cell, is_emphasized=True) for cell in headings))
    return (head, *row_lines(rows))


def row_lines(rows: Iterable[Sequence[str]]) -> Iterator[DocumentLine]:
    """Yield the rows of a table; one whose last cell is empty has nothing to show."""
    for row in rows:
        if row[-1]:
            yield DocumentLine(DocumentRole.ROW, tuple(map(DocumentSpan, row)))


def _lines(texts: Iterable[LineText], role: DocumentRole) -> Iterable[DocumentLine]:
    """Yield the lines of texts, without empty ones."""
    for text in texts:
        if isinstance(text, DocumentLine):
            yield text
        elif text:
            yield DocumentLine(role, (DocumentSpan(text),))
