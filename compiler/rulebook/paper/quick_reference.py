"""The quick-reference card on paper: a page for each side, columns of panels; one page, if all fit on it.

The input is the contents of a book; the output is sources by file name, from which `typeset` makes a PDF.
"""

from compiler.rulebook.card import card_sides
from compiler.rulebook.contents import Contents
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, escape, quote
from compiler.rulebook.paper.typst_writer import TypstWriter
from runtime.graph.document import BookEdition


def write_card_text(contents: Contents, title: str, short: str) -> dict[str, bytes]:
    """Write the sources of the quick-reference card, one page per side; the full title is below if it is shortened."""
    press = TypstWriter(contents, BookEdition.PLAYER)
    sides = [f"({''.join(f'{press.panel(panel)}, ' for panel in panels)})" for panels in card_sides(press.blocks.lines)]
    foot = f"[#text(7pt, fill: soft)[{escape(title)}]]" if title != short else "none"
    parts = [
        opening_lines(contents, "quick-reference card"),
        f"#show: card.with({quote(title)}, [{escape(short)}], {foot})",
        f"#sides({'187mm' if title == short else '184mm'}, {', '.join(sides)})",
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
