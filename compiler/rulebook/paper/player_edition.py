"""The player's edition: what players read before the game and look up in it.

The input is the contents of a book; the output is text for typst. It contains the rules and procedures in sentences,
the rulings, the charts and an index; examples, the generated wording of the logic, procedures step by step and sources
are in the umpire's edition.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents
from compiler.rulebook.headings import Heading, RuleEntry, RulingEntry
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.abridged import has_short_appendix
from compiler.rulebook.paper.chart_text import chart_heading, chart_place
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, anchor, escape, index_text, quote, short_index
from compiler.rulebook.paper.typst_writer import (
    HEADINGS,
    TypstWriter,
)
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.titles import short_title
from runtime.graph.document import BookEdition, DocumentBlock, DocumentForm

LEFT_OUT = "Examples, exact wording and sources are in the umpire's edition."


class ProseWriter(TypstWriter):
    """A writer of the rules in sentences."""

    def has_place(self, key: BookKey) -> bool:
        """Return whether a thing is printed: mere definitions and the charts of the umpire's edition are not."""
        if not super().has_place(key):
            return False
        if key[0] == "chart":
            return any(chart.name == key[1] for chart in self.contents.players_charts)
        if key[0] != "rule":
            return True
        rule = self.contents.rules[key[1]]
        return bool(rule.prose or rule.exact) and not self.contents.is_advisory(rule.label)

    def section(self, heading: Heading, depth: int = 1) -> Iterator[str]:
        """Format a section, unless nothing under it is printed."""
        if self._holds(heading.entries, heading.parts):
            yield from super().section(heading, depth)

    def general_rules(self, heading: Heading) -> Iterator[str]:  # noqa: ARG002 - as the press asks it
        """Omit defaults."""
        yield from ()

    def rule(self, block: DocumentBlock, indent: int) -> str:
        """Format the sentence of a rule behind its number; of one whose ruling is printed above it only the place."""
        place = f"#metadata({quote(block.key[1])})#label({quote(anchor(block.key))})"
        if not block.lines:
            return place
        text = self.lines(block, *DocumentForm)
        return f"#short({indent}, {'true' if block.tags else 'false'}, [#num[{escape(block.number)}] {place}{text}])"

    def ruling(self, block: DocumentBlock) -> str:
        """Format a ruling as question and answer."""
        number = block.number or "Q"
        text = " ".join("".join(map(self.span, line.spans)) for line in block.lines_of(DocumentForm.SENTENCE))
        return f"#answered({quote(anchor(block.key))}, [{escape(number)}], [{text}])"

    def plate(self) -> str:
        """Format all charts on one page, in the largest type that fits."""
        charts = self.contents.players_charts
        panels = (
            f"panel([{chart_heading(chart.title)} {chart_place(chart)}], {self.chart_cells(chart)})" for chart in charts
        )
        return f"#plates([Charts], {', '.join(panels)})"

    def procedure_sentences(self) -> Iterator[str]:
        """Format the sentences of actions, resolutions and what follows from events, without their steps.

        What several layers say of one event stands in one paragraph.
        """
        procedures = sorted(
            self.contents.book.procedures.items(),
            key=lambda item: (*written_rank(self.contents.book, item[1]), item[0]),
        )
        groups: dict[str, dict[str, list[str]]] = {heading: {} for heading in HEADINGS.values()}
        for name, procedure in procedures:
            if procedure.what in HEADINGS and procedure.prose:
                title = self.contents.titles["procedure", name]
                groups[HEADINGS[procedure.what]].setdefault(title, []).append(procedure.prose)
        if any(groups.values()):
            yield "= Procedures"
        for heading, sentences in groups.items():
            if sentences:
                yield f"== {heading}"
            yield from (
                f"#short(0, false, [*{escape(title)}.* {escape(' '.join(parts))}])"
                for title, parts in sentences.items()
            )

    def chart(self, chart: PrintedChart) -> str:
        """Format a chart without its sources."""
        rows = tuple(replace(row, cells=tuple(replace(cell, note="") for cell in row.cells)) for row in chart.rows)
        return super().chart(replace(chart, rows=rows, notes=(), cites=()))

    def indexes(self, size: float) -> Iterator[str]:
        """Omit the index of sources."""
        yield f"#text_ends #indexes({index_text('Index', size, self.subjects())})"

    def _holds(self, entries: Iterable[RuleEntry | RulingEntry], parts: Iterable[Heading]) -> bool:
        """Return whether anything under a heading is printed."""
        return any(
            isinstance(entry, RulingEntry) or self.has_place(("rule", entry.label)) or self._holds(entry.under, ())
            for entry in entries
        ) or any(self._holds(part.entries, part.parts) for part in parts)


def write_player_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the player's edition."""
    press = ProseWriter(contents, BookEdition.PLAYER)
    brief = has_short_appendix(contents)
    parts = [
        opening_lines(contents, "player's edition"),
        f"#show: look.with({quote(title)}, {quote(short_title(contents.book))}, [{escape(LEFT_OUT)}], "
        'edition: "player\'s edition")',
        # The page of charts follows that of the contents, and the text goes on behind it: no page is left half empty.
        *([press.plate()] if contents.players_charts and not brief else []),
        "#outline(target: sections_and_charts, title: none)",
        *press.sequence_of_play(),
        *(line for section in contents.outline for line in press.section(section)),
        *press.procedure_sentences(),
        *(["= Charts", *map(press.chart, contents.players_charts)] if contents.players_charts and brief else []),
        *(["= Index", short_index(8, press.subjects())] if brief else press.indexes(8)),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
