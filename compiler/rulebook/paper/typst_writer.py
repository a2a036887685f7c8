"""Lay the document tree of the book out on paper: text for typst, and the pictures it needs.

The input is the contents of a book; the output is sources by file name, from which `typeset` makes a PDF.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import assert_never

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.booklet import SEQUENCE
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.line_builder import row_line
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.print_colors import with_print_colors
from compiler.rulebook.paper.typeset import (
    LOOK,
    anchor,
    escape,
    picture_width,
    quote,
    unparted_number,
)
from runtime.graph.document import (
    BlockForm,
    BlockRole,
    BookEdition,
    DocumentBlock,
    DocumentForm,
    DocumentLine,
    DocumentRole,
    DocumentSpan,
    line_runs,
    lines_by_run,
)
from runtime.graph.document_text import line_text
from runtime.graph.grouping import group_by

SCALE = 0.44  # points of paper for a pixel of screen
LARGE = 118  # points: half a column; a smaller map is drawn again elsewhere, as a reference takes as long to read
KINDS = ("case", "rule", "ruling", "chart", "dispute")  # what has a place on paper
ABREAST = 6  # table columns that fit into a column of the page, if they contain words
# The functions of book.typ that set lines of a form.
FUNCTIONS = {
    DocumentForm.FOLDED: "folded",
    DocumentForm.TOLD: "told",
    DocumentForm.ANSWER: "answer",
    DocumentForm.REASON: "because",
}


class TypstWriter:
    """A writer of typst text; collects the pictures of the text."""

    def __init__(self, contents: Contents, edition: BookEdition = BookEdition.UMPIRE) -> None:
        """Start without pictures."""
        self.contents = contents
        self.blocks = BookBlockBuilder(contents, edition, self.has_place)
        self.pictures: dict[str, bytes] = {}
        # The first example that has each map.
        self.drawn: dict[str, DocumentBlock] = {}

    def has_place(self, key: BookKey) -> bool:
        """Return whether the book on paper has a place for a thing."""
        if key == SEQUENCE:
            return key[1] in self.contents.book.procedures
        return self.contents.is_printed(key, KINDS)

    def picture(self, svg: str, scale: float = SCALE) -> str:
        """Store a picture and format its inclusion, no wider than its column."""
        ink = with_print_colors(svg).encode()
        name = f"{sha256(ink).hexdigest()[:16]}.svg"
        self.pictures[name] = ink
        return f'image("{name}", width: {picture_width(svg, scale):.0f}pt)'

    def text(self, blocks: Iterable[DocumentBlock]) -> Iterator[str]:
        """Format blocks of the document tree, one after the other; empty ones are left out."""
        for block in blocks:
            if block.lines or block.blocks:
                yield from self.block(block)

    def block(self, block: DocumentBlock, depth: int = 1) -> Iterator[str]:
        """Format a block and the blocks under it."""
        # The examples of a ruling that is the text of a rule follow the rule.
        parts = (*(block.text_block.blocks if block.text_block else ()), *block.blocks)
        inner = [text for part in parts for text in self.block(part, depth + 1)]
        match block.form:
            case BlockForm.SECTION:
                yield self.section(block, min(depth, 3))
            case BlockForm.RULE:
                yield self.rule(block)
            case BlockForm.ASIDE:
                yield self.aside(block)
            case BlockForm.FIGURE:
                yield self.figure(block, inner)
                return
            case BlockForm.TABLE:
                rows, explained = lines_by_run(block.lines, DocumentForm.ROW)
                yield f"{self.table(block, rows)}\n{self.lines(explained)}"
            case BlockForm.GROUP:
                yield self.lines(block.lines)
            case form:
                assert_never(form)
        yield from inner

    def section(self, block: DocumentBlock, level: int) -> str:
        """Format the heading of a section, and its lines."""
        title = self.span(block.heading) if block.heading else escape(f"{block.number} {block.title}".strip())
        return f"#heading(level: {level})[{title}{tags_text(block)}] {_label(block)}\n\n{self.lines(block.lines)}"

    def rule(self, block: DocumentBlock) -> str:
        """Format a rule; the ruling that is its text stands in it."""
        text = self.aside(block.text_block) if block.text_block else ""
        indent = 0 if block.role is BlockRole.RULE else 1
        return (
            f"#rule([{escape(block.number)}], [{escape(block.title)}.], {quote(anchor(block.key))}, {bar(block)}, "
            f"{indent}, [{text}{self.lines(block.lines)}])"
        )

    def aside(self, block: DocumentBlock) -> str:
        """Format a ruling."""
        return (
            f"#ruling({quote(anchor(block.key))}, [{escape(block.number)}], [{tags_text(block)}], "
            f"[{self.lines(block.lines)}])"
        )

    def figure(self, block: DocumentBlock, inner: Iterable[str]) -> str:
        """Format an example: its picture, or where it is if it is large and was drawn before, and what is told."""
        assert isinstance(block.data, Drawing)
        svg = block.data.svg
        first = self.drawn.setdefault(svg, block)
        picture, same = "none", ""
        if svg and first is not block and picture_width(svg, SCALE) >= LARGE:
            same = f"#because[The map is that of #to({quote(anchor(first.key))})[{escape(first.title)}].] "
        elif svg:
            picture = self.picture(svg)
        head = f"{_place(block)}{escape(block.title)}{tags_text(block)}."
        return f"#example([{head}], {picture}, [{same}{' '.join([self.lines(block.lines), *inner])}])"

    def lines(self, lines: tuple[DocumentLine, ...]) -> str:
        """Format lines as paragraphs; notes stand in that before them, so that they are never alone in a column."""
        parts: list[str] = []
        has_list = True
        for form, run in line_runs(lines):
            texts = " ".join(self.line(line) for line in run)
            match form:
                case DocumentForm.NOTE if not has_list:
                    parts[-1] += f" #linebreak() #notes[{texts}]"
                case DocumentForm.NOTE:
                    parts.append(f"#notes[{texts}]")
                case DocumentForm.ENTRY:
                    parts.append(f"#list({', '.join(f'[{self.line(line)}]' for line in run)})")
                case DocumentForm.SENTENCE:
                    parts += map(self.line, run)
                case DocumentForm.COMPARED:
                    parts.append(self.compared(run))
                case DocumentForm.ROW:
                    parts.append(f"#chart([], {self.boxes(run)})")
                case DocumentForm.INDEXED:
                    parts.append(f"#index({', '.join(self.entries(run))})")
                case _:
                    parts.append(texts)
            has_list = form not in {DocumentForm.SENTENCE, DocumentForm.FOLDED} or bool(run[-1].items)
        return "\n\n".join(parts)

    def compared(self, lines: Iterable[DocumentLine]) -> str:
        """Format former texts beside present ones; lists of steps may be longer than a page."""
        columns = []
        is_short = True
        for opening, versions in group_by(lines, lambda line: line.opening).items():
            texts = " ".join(map(self.line, versions))
            columns.append(f"[{escape(opening)}], [{texts}]")
            is_short = is_short and not any(version.items for version in versions)
        return f"#twain({', '.join(columns)}, whole: {str(is_short).lower()})"

    def line(self, line: DocumentLine) -> str:
        """Format a line, with the lines below it."""
        text = "".join(map(self.span, line.spans))
        inner = self.lines(line.items)
        match line.form:
            case DocumentForm.QUOTE if line.items:
                return f"#quoted([{text}], [{inner}])"
            case DocumentForm.STEP:
                return f"#step([{escape(line.mark)}], [{text} {inner}])"
            case DocumentForm.BOXED:
                return f"#boxed([{line.opening}], [{text} {inner}])"
            case DocumentForm.SENTENCE if line.opening:
                return f"#opened[{escape(line.opening)}] {text} {inner}".rstrip()
            case DocumentForm.NOTE:
                return f"{escape(line.opening)} {text} {inner}".strip()
            case form if form in FUNCTIONS:
                return f"#{FUNCTIONS[form]}[{text}] {inner}".rstrip()
            case _:
                return f"{text} {inner}".rstrip()

    def span(self, span: DocumentSpan, reference: str = "to") -> str:
        """Format a part of a line; a `reference` that is `to` a thing has its page."""
        text = escape(span.text)
        if span.number:
            text = f"#num[{unparted_number(span.number)}] {text}"
        if span.key and self.has_place(span.key):
            return f"#{reference}({quote(anchor(span.key))})[{text}]"
        if span.is_raised:
            return f"#super[{text}]"
        return f"#emph[{text}]" if span.is_emphasized else f"#strong[{text}]" if span.is_strong else text

    def table(self, block: DocumentBlock, rows: Sequence[DocumentLine]) -> str:
        """Format the rows of a chart, of counters or of the cases of an example."""
        match block.role:
            case BlockRole.COUNTER_SHEET:
                return self.unit_chart(block.title, rows)
            case BlockRole.CHART:
                return f"#chart([{chart_heading(block.title)} {_place(block)}], {self.boxes(rows)})"
            case _:
                caption = f"#told[{escape(block.title)}] " if block.title else ""
                across = len(rows[0].items)
                if across > ABREAST and len(rows) <= across:  # It has more room downward.
                    rows = [*map(row_line, zip(*(row.items for row in rows), strict=True))]
                return f"{caption}#chart([], {self.boxes(rows)})"

    def boxes(self, rows: Sequence[DocumentLine]) -> str:
        """Format the number of columns, and the cells line by line, the heads of the columns first."""
        heads = [f"head[{self.cell(head)}]" for head in rows[0].items]
        cells = [f"[{self.cell(cell)}]" for row in rows[1:] for cell in row.items]
        return f"{len(heads)}, {', '.join((*heads, *cells))}"

    def cell(self, cell: DocumentLine) -> str:
        """Format a cell; there is no room for the pages of what it refers to."""
        text = "".join(self.span(span, "numbered") for span in cell.spans)
        return f"*{text}*" if cell.role is DocumentRole.ROW_HEAD else text

    def unit_chart(self, title: str, rows: Sequence[DocumentLine]) -> str:
        """Format counters: for each its face, its factors, and below them what is remarked."""
        heads, *counters = (row.items for row in rows)
        last = 2 + sum(cell.role is DocumentRole.VALUE for cell in counters[0])
        factors = (f"{quote(line_text(head))}, " for head in heads[2:last])
        formatted = []
        for cells in counters:
            face, name, *values = cells[:last]
            remarks = []
            for head, remark in zip(heads[last:], cells[last:], strict=True):
                remarks += [f"{self.line(head)}: {self.line(remark)}"] if remark.spans else []
            picture, texts = self.picture(line_text(face), 0.4), (f"[{self.line(value)}], " for value in values)
            formatted.append(f"({picture}, [{self.line(name)}], [{'; '.join(remarks)}], {''.join(texts)})")
        return f"#unit_chart([{chart_heading(title)}], ({''.join(factors)}), {', '.join(formatted)})"

    def panel(self, block: DocumentBlock) -> str:
        """Format a block for a panel: a chart, below whose rows one line explains them, or lines in order."""
        rows, others = lines_by_run(block.lines, DocumentForm.ROW)
        if not rows:
            return f"panel([{escape(block.title)}], [{''.join(self.panel_lines(block.lines, 0))}])"
        legend = f"[{' '.join(map(self.line, others))}]" if others else "none"
        columns, _, boxes = self.boxes(rows).partition(", ")
        return f"panel([{escape(block.title)}], grille({columns}, {legend}, {boxes}))"

    def panel_lines(self, lines: Iterable[DocumentLine], depth: int) -> Iterator[str]:
        """Format lines of a panel and those below each; a phase is a heading over what is done in it."""
        for line in lines:
            notes, below = lines_by_run(line.items, DocumentForm.NOTE)
            cases = " ".join(map(self.line, notes))
            text = f"{depth}, [{escape(line.mark)}], [{''.join(map(self.span, line.spans))}]"
            yield f"#phase_of_card({text}, [{cases}])" if line.role is DocumentRole.PHASE else f"#item({text})"
            yield from self.panel_lines(below, depth + 1)

    def entries(self, lines: Iterable[DocumentLine], indent: int = 0) -> Iterator[str]:
        """Format entries of an index: what each is of, the names of its places, and what else it refers to."""
        for line in lines:
            subject, *others = line.spans
            names = [f"{quote(anchor(span.key))}, " for span in others if span.key and self.has_place(span.key)]
            also = "".join(self.span(span) for span in others if span.is_emphasized or not names)
            entries, below = lines_by_run(line.items, DocumentForm.INDEXED)
            yield f"({indent}, [{self.span(subject)}], ({''.join(names)}), [{also}{self.lines(below)}])"
            yield from self.entries(entries, indent + 1)


def tags_text(block: DocumentBlock) -> str:
    """Format the words beside a title."""
    return f" #tags[{escape(', '.join(tag.text for tag in block.tags))}]" if block.tags else ""


def bar(block: DocumentBlock) -> str:
    """Return whether a bar marks a block as changed."""
    return "true" if block.tags else "false"


def chart_heading(title: str) -> str:
    """Format the title of a chart as a heading that the contents list."""
    return f"#chart_heading[{escape(title)}]"


def _place(block: DocumentBlock) -> str:
    """Format a place to which references lead."""
    return f'#metadata("x")#label({quote(anchor(block.key))})'


def _label(block: DocumentBlock) -> str:
    """Format the target of references to a section."""
    return f"#label({quote(anchor(block.key))})"


def write_book_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the book."""
    press = TypstWriter(contents)
    blocks = press.blocks
    cover = blocks.cover()
    parts = [
        opening_lines(contents, "umpire's edition"),
        f"#show: look.with({quote(title)}, {quote(cover.title)}, [{press.lines(cover.lines)}], "
        'edition: "umpire\'s edition")',
        '#show outline.entry.where(level: 1): set text(weight: "bold")',
        "#outline(depth: 2, title: none)",
        *press.text([blocks.play.play(), *blocks.sections(), blocks.play.procedures()]),
        *press.text(blocks.pages()),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
