"""The booklet of changes on paper: the page of changes in columns, for a reader who owns the other book.

The input is the contents of a book that is compared with another; the output is text for typst.
"""

from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, escape, quote
from compiler.rulebook.paper.typst_writer import TypstWriter, tags_text
from runtime.graph.document import BlockRole, DocumentBlock


class _LeafletWriter(TypstWriter):
    """A writer of pages that are bound with no book: they refer to it by numbers and titles."""

    def has_place(self, key: BookKey) -> bool:  # noqa: ARG002 - as the press asks it
        """Return no: nothing that is referred to is printed here."""
        return False

    def section(self, block: DocumentBlock, level: int) -> str:
        """Format a change behind a bar, beside its picture if it has one."""
        if block.role is not BlockRole.CHANGE or block.heading is None:
            return super().section(block, level)
        text = f"#topic[*{self.span(block.heading)}*{tags_text(block)}] {self.lines(block.lines)}"
        if isinstance(block.data, str):
            return f"#change(pieces({self.picture(block.data, 0.45)}, [{text}]))"
        return f"#change[{text}]"


def write_leaflet_text(contents: Contents, title: str, short: str) -> dict[str, bytes]:
    """Write the sources of the booklet alone."""
    press = _LeafletWriter(contents)
    page = press.blocks.changes()
    first, *others = page.lines
    parts = [
        opening_lines(contents, page.title.lower()),
        f"#show: look.with({quote(title)}, {quote(short)}, [{press.line(first)}], kicker: [{escape(page.title)}], "
        f"edition: {quote(page.title.lower())})",
        press.lines(tuple(others)),
        *(text for block in page.blocks for text in press.block(block, 2)),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
