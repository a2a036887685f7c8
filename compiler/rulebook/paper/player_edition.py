"""The player's edition: what players read before the game and look up in it.

The input is the contents of a book; the output is text for typst. It contains the rules and procedures in sentences,
the rulings, the charts and an index; examples, the generated wording of the logic, procedures step by step and sources
are in the umpire's edition.
"""

from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, anchor, escape, quote
from compiler.rulebook.paper.typst_writer import TypstWriter, bar
from runtime.graph.document import BlockRole, BookEdition, DocumentBlock


class _ProseWriter(TypstWriter):
    """A writer of the rules in sentences, in less room: a rule and a procedure are one paragraph each."""

    def has_place(self, key: BookKey) -> bool:
        """Return whether a thing is printed: mere definitions and the charts of the umpire's edition are not."""
        if not super().has_place(key):
            return False
        if key[0] == "chart":
            return not self.contents.book.tables[key[1]].edition
        if key[0] != "rule":
            return True
        rule = self.contents.rules[key[1]]
        return bool(rule.prose or rule.exact) and not self.contents.is_advisory(rule.label)

    def rule(self, block: DocumentBlock) -> str:
        """Format the sentence of a rule behind its number; of one whose ruling is printed above it only the place."""
        place = f"#metadata({quote(block.key[1])})#label({quote(anchor(block.key))})"
        if not block.lines:
            return place
        indent = 0 if block.role is BlockRole.RULE else 1
        text = f"#num[{escape(block.number)}] {place}{self.lines(block.lines)}"
        return f"#short({indent}, {bar(block)}, [{text}])"

    def aside(self, block: DocumentBlock) -> str:
        """Format a ruling as question and answer."""
        number = block.number or "Q"
        text = " ".join("".join(map(self.span, line.spans)) for line in block.lines)
        return f"#answered({quote(anchor(block.key))}, [{escape(number)}], [{text}])"

    def section(self, block: DocumentBlock, level: int) -> str:
        """Format a section; the title of a procedure stands in its paragraph."""
        if block.role is BlockRole.PROCEDURE:
            title = f"*{escape(block.title)}.* "
            return f"#short(0, false, [{title}{self.lines(block.lines)}])"
        return super().section(block, level)


def write_player_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the player's edition."""
    press = _ProseWriter(contents, BookEdition.PLAYER)
    blocks = press.blocks
    cover = blocks.cover()
    parts = [
        opening_lines(contents, "player's edition"),
        f"#show: look.with({quote(title)}, {quote(cover.title)}, [{press.lines(cover.lines)}], "
        'edition: "player\'s edition")',
        "#outline(target: sections_and_charts, title: none)",
        *press.text([blocks.play.play(), *blocks.sections(), blocks.play.procedures()]),
        *press.text(blocks.pages()),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
