"""Lay the document tree of the book out on paper: text for typst, and the pictures it needs.

The input is the contents of a book; the output is sources by file name, from which `typeset` makes a PDF.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import assert_never

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.booklet import SEQUENCE
from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents
from compiler.rulebook.counter_sheets import CounterSheet
from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.examples import PrintableExample
from compiler.rulebook.index.keywords import Keyword
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.chart_text import (
    chart_boxes,
    chart_heading,
    chart_place,
    codes_text,
    column_count,
)
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.print_colors import with_print_colors
from compiler.rulebook.paper.typeset import (
    LOOK,
    anchor,
    escape,
    index_text,
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
    DocumentSpan,
    line_runs,
)
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
        inner = [text for part in block.blocks for text in self.block(part, depth + 1)]
        match block.form:
            case BlockForm.SECTION:
                yield self.section(block, min(depth, 3))
            case BlockForm.RULE:
                yield self.rule(block)
                yield from (
                    (text for part in block.text_block.blocks for text in self.block(part)) if block.text_block else ()
                )
            case BlockForm.ASIDE:
                yield self.aside(block)
            case BlockForm.FIGURE:
                yield self.figure(block, inner)
                return
            case BlockForm.TABLE:
                yield f"{self.table(block)}\n{self.lines(block.lines)}"
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
        head = f'#metadata("x")#label({quote(anchor(block.key))}){escape(block.title)}{tags_text(block)}.'
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

    def span(self, span: DocumentSpan) -> str:
        """Format a part of a line, a reference with its page."""
        text = escape(span.text)
        if span.number:
            text = f"#num[{unparted_number(span.number)}] {text}"
        if span.key and self.has_place(span.key):
            return f"#to({quote(anchor(span.key))})[{text}]"
        return f"#emph[{text}]" if span.is_emphasized else f"#strong[{text}]" if span.is_strong else text

    def table(self, block: DocumentBlock) -> str:
        """Format a chart or the cases of an example."""
        match block.data:
            case PrintedChart() as chart:
                return self.chart(chart)
            case PrintableExample() as example:
                caption = f"#told[{escape(block.title)}] " if block.title else ""
                return f"{caption}{_cases(example)}"
            case CounterSheet() as sheet:
                return self.unit_chart(block.title, sheet)
            case _:
                raise TypeError(block.data)

    def chart(self, chart: PrintedChart) -> str:
        """Format a chart with the meanings of its codes."""
        title = f"{chart_heading(chart.title)} {chart_place(chart)}"
        legend = f"#notes[{codes_text(chart.codes)}]" if chart.codes else ""
        return f"#chart([{title}], {column_count(chart)}, {', '.join(chart_boxes(chart))})\n{legend}"

    def unit_chart(self, title: str, sheet: CounterSheet) -> str:
        """Format counters: for each its face, its factors, and below them what is remarked."""
        rows = []
        for row in sheet.rows:
            remarks = [
                f"{escape(head)}: {self.line(remark)}"
                for head, remark in zip(sheet.remarks, row.remarks, strict=True)
                if remark.spans
            ]
            values = "".join(f"[{escape(value)}], " for value in row.values)
            face = self.picture(row.picture, 0.4)
            rows.append(f"({face}, [{escape(row.title)}], [{'; '.join(remarks)}], {values})")
        heads = "".join(f"{quote(factor)}, " for factor in sheet.factors)
        return f"#unit_chart([{chart_heading(title)}], ({heads}), {', '.join(rows)})"

    def chart_cells(self, chart: PrintedChart) -> str:
        """Format only the cells of a chart and what explains them, for a panel."""
        block = self.blocks.chart(chart)
        assert isinstance(block.data, PrintedChart)
        explained = [*([codes_text(chart.codes)] if chart.codes else []), *map(self.line, block.lines)]
        legend = f"[{'; '.join(explained)}]" if explained else "none"
        return f"grille({column_count(chart)}, {legend}, {', '.join(chart_boxes(block.data))})"

    def indexes(self) -> Iterator[str]:
        """Format the index of subjects and that of sources, with pages."""
        yield index_text("Index", 8, self.subjects())
        yield index_text("Sources", 7.5, self.cited_items())

    def cited_items(self) -> Iterator[str]:
        """Format the entries of the index of sources."""
        cited = sorted(self.contents.mentions.cited.items())
        return (self.index_entry(f"*{escape(item)}*", keys) for item, keys in cited)

    def subjects(self) -> Iterator[str]:
        """Format the entries of the index of subjects."""
        return (line for entry in self.contents.keywords for line in self.subject(entry))

    def subject(self, entry: Keyword) -> Iterator[str]:
        """Format an entry of the index of subjects, with its sub-entries below it."""
        sub_lines = [line for phrase, places in entry.under if (line := self.index_entry(escape(phrase), places, 1))]
        head = self.index_entry(f"*{escape(entry.word)}*", entry.places, 0, entry.cross_references)
        yield head or (f"(0, [*{escape(entry.word)}*], (), [])" if sub_lines else "")
        yield from sub_lines

    def index_entry(self, word: str, keys: Iterable[BookKey], indent: int = 0, others: tuple[str, ...] = ()) -> str:
        """Format an entry of an index, if it has a page or refers to other entries."""
        anchors = [quote(anchor(key)) for key in keys if self.has_place(key)]
        also = f"_see_ {escape(', '.join(others))}" if others else ""
        names = "".join(f"{name}, " for name in anchors)
        return f"({indent}, [{word}], ({names}), [{also}])" if anchors or also else ""


def _cases(example: PrintableExample) -> str:
    """Format the cases of an example as a table."""
    heads = [*example.names, *example.questions]
    rows = [(*row.given, *(answer for answer, _ in row.answers)) for row in example.rows]
    if len(heads) > ABREAST and len(rows) < len(heads):  # It has more room downward.
        heads, *rows = zip(heads, *rows, strict=True)  # type: ignore[assignment]
    table = [f"head[{escape(head)}]" for head in heads]
    for row in rows:
        table += [f"[{escape(value)}]" for value in row]
    return f"#chart([], {len(heads)}, {', '.join(table)})"


def tags_text(block: DocumentBlock) -> str:
    """Format the words beside a title."""
    return f" #tags[{escape(', '.join(tag.text for tag in block.tags))}]" if block.tags else ""


def bar(block: DocumentBlock) -> str:
    """Return whether a bar marks a block as changed."""
    return "true" if block.tags else "false"


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
        *press.indexes(),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
