"""Blocks of the document tree as JSON, which a script of the page lays out by the forms of their lines."""

from collections.abc import Iterable
from typing import Any

from runtime.graph.document import DocumentBlock, DocumentLine


def blocks_data(blocks: Iterable[DocumentBlock]) -> list[dict[str, Any]]:
    """Return blocks with their headings, tags, lines and the blocks under them."""
    return [
        {
            "title": f"{block.number} {block.title}".strip(),
            "tags": [tag.text for tag in block.tags],
            "lines": [_line_data(line) for line in block.lines],
            "blocks": blocks_data(block.blocks),
        }
        for block in blocks
    ]


def _line_data(line: DocumentLine) -> dict[str, Any]:
    """Return a line with its items; a span that refers to a thing has its key and its number."""
    spans = [{"key": span.key, "number": span.number, "text": span.text} for span in line.spans]
    items = [_line_data(item) for item in line.items]
    return {"form": line.form, "role": line.role, "opening": line.opening, "spans": spans, "items": items}
