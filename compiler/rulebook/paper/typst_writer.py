"""The book on paper: text for typst, and the pictures it needs.

The input is the contents of a book; the output is sources by file name, from which `typeset` makes a PDF.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from compiler.rulebook.booklet import SEQUENCE
from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents, cell_words, general_rules
from compiler.rulebook.examples import ExampleStep, PrintableExample
from compiler.rulebook.headings import Heading
from compiler.rulebook.index.keywords import Keyword
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.openings import CLOSED
from compiler.rulebook.paper.abridged import ABREAST, cell_abbreviations, has_short_appendix, umpire_counts
from compiler.rulebook.paper.chart_text import (
    chart_boxes,
    chart_codes,
    chart_heading,
    chart_place,
    codes_text,
    column_count,
    legend_text,
)
from compiler.rulebook.paper.exact_lists import counted_text
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.print_colors import with_print_colors
from compiler.rulebook.paper.turn import turn_text
from compiler.rulebook.paper.typeset import (
    LOOK,
    anchor,
    escape,
    index_text,
    picture_width,
    quote,
    short_index,
    unparted_number,
)
from compiler.rulebook.paper.unit_charts import unit_charts
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.rulebook.sentences import heading_words, with_capital
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.steps import ProcedureLine
from compiler.rulebook.table import table_lines
from compiler.rulebook.titles import short_title
from runtime.graph.document import (
    BlockRole,
    BookEdition,
    DocumentBlock,
    DocumentForm,
    DocumentLine,
    DocumentSpan,
)
from runtime.graph.related_procedures import rulings_on

SCALE = 0.44  # points of paper for a pixel of screen
# Procedures by sort, with headings: the turn comes first, the rest behind the rules.
TURN = {"sequence": ""}
HEADINGS = {"action": "What a player may do", "resolution": "How things are resolved", "hook": "What happens by itself"}
LARGE = 118  # points: half a column; a smaller map is drawn again elsewhere, as a reference takes as long to read
RESTS_ON = 3  # answers that an answer rests on; a page has less room than a screen


class TypstWriter:
    """A writer of typst text; collects the pictures of the text."""

    def __init__(self, contents: Contents, edition: BookEdition = BookEdition.UMPIRE) -> None:
        """Start without pictures."""
        self.contents = contents
        self.blocks = RuleBlockBuilder(contents, edition, self.has_place)
        self.pictures: dict[str, bytes] = {}
        # The maps of examples: the number of each, the first example that has it, and its place.
        self.drawn: dict[str, tuple[int, PrintableExample, BookKey]] = {}
        self.turn: list[str] = []
        self.turn = list(self.play(TURN))

    # Words and links.

    def name(self, key: BookKey, function: str = "to") -> str:
        """Format a reference to a thing by number and title, with its page `to` it if it has a place on paper."""
        number = self.contents.numbers.get(key, "")
        title = escape(self.contents.titles.get(key, key[1]))
        text = f"#num[{unparted_number(number)}] {title}" if number else title
        return f"#{function}({quote(anchor(key))})[{text}]" if self.has_place(key) else text

    def has_place(self, key: BookKey) -> bool:
        """Return whether the book on paper has a place for a thing."""
        if key == SEQUENCE:
            return bool(self.turn)
        return key[0] in ("case", "rule", "ruling", "chart") and bool(self.contents.links.link_to(key)) and (
            key[0] != "rule" or key in self.contents.numbers
        )  # fmt: skip

    def labels(self, labels: Iterable[str]) -> str:
        """Format references to rules by label, some of which may be rulings, cells or counters, without their pages."""
        return ", ".join(map(self._labeled, labels))

    def _labeled(self, label: str) -> str:
        key = self.contents.thing_of_reason(label)
        return self.name(key, "numbered") if key in self.contents.titles else f"“{escape(heading_words(label))}”"

    def picture(self, svg: str, scale: float = SCALE) -> str:
        """Store a picture and format its inclusion, no wider than its column."""
        ink = with_print_colors(svg).encode()
        name = f"{sha256(ink).hexdigest()[:16]}.svg"
        self.pictures[name] = ink
        return f'image("{name}", width: {picture_width(svg, scale):.0f}pt)'

    # The text.

    def section(self, heading: Heading, depth: int = 1) -> Iterator[str]:
        """Format a section, a case or a part of one."""
        key = ("case", heading.label)
        title = f"{heading.number} {self.contents.titles[key]}"
        yield f"#heading(level: {min(depth, 3)})[{escape(title)}] #label({quote(anchor(key))})"
        yield from self.section_opening(heading)
        yield from self.general_rules(heading)
        for entry in heading.entries:
            yield from self.block(self.blocks.entry(entry))
        for part in heading.parts:
            yield from self.section(part, depth + 1)
        if missing := self.missing_numbers(heading):
            yield f"#measured[{escape(missing)}]"

    def missing_numbers(self, heading: Heading) -> str:
        """Return which numbers are missing under a heading."""
        return self.contents.missing_numbers.get(heading.label, "")

    def section_opening(self, heading: Heading) -> Iterator[str]:
        """Format the opening of a section: its general rule and its procedure."""
        opened = self.contents.openings.get(heading.label, CLOSED)
        steps = ", ".join(f"[{escape(step)}]" for step in opened.procedure)
        if opened.rule or steps:
            yield f"#opening([{escape(opened.rule)}], {f'enum({steps})' if steps else 'none'})"

    def general_rules(self, heading: Heading) -> Iterator[str]:
        """Format the defaults of a case."""
        if defaults := general_rules(self.contents, heading):
            yield f"#general[{' '.join(escape(sentence) for _, sentence in defaults)}]"

    def block(self, block: DocumentBlock, indent: int = 0) -> Iterator[str]:
        """Format a block of the document tree and the blocks under it."""
        match block.role:
            case BlockRole.EXAMPLE:
                assert isinstance(block.data, PrintableExample)
                yield self.example(block.data, block.key)
            case BlockRole.RULING:
                yield self.ruling(block)
            case BlockRole.RULE | BlockRole.EXCEPTION:
                yield self.rule(block, indent)
            case BlockRole.LOOSE_RULING:
                pass
        if block.text_block:
            yield from (line for inner in block.text_block.blocks for line in self.block(inner))
        for inner in block.blocks:
            yield from self.block(inner, 1)

    def rule(self, block: DocumentBlock, indent: int) -> str:
        """Format a rule; the ruling that is its text stands in it."""
        text = self.ruling(block.text_block) if block.text_block else self.lines(block, DocumentForm.SENTENCE)
        restated = self.lines(block, DocumentForm.FOLDED)
        bar = "true" if block.tags else "false"
        return (
            f"#rule([{escape(block.number)}], [{escape(block.title)}.], {quote(anchor(block.key))}, {bar}, {indent}, "
            f"[{text}], {f'[{restated}]' if restated else 'none'}, [{self.notes(block)}])"
        )

    def ruling(self, block: DocumentBlock) -> str:
        """Format a ruling."""
        tags = ", ".join(tag.text for tag in block.tags)
        sentences = [f"[{self.line(line)}]" for line in block.lines_of(DocumentForm.SENTENCE)]
        return (
            f"#ruling({quote(anchor(block.key))}, [{escape(block.number)}], [{escape(tags)}], "
            f"[{self.notes(block)}], {', '.join(sentences)})"
        )

    def notes(self, block: DocumentBlock) -> str:
        """Format the remarks of a block and its sources, with their words."""
        return self.lines(block, DocumentForm.NOTE, DocumentForm.SOURCE, DocumentForm.CODE, DocumentForm.QUOTE)

    def lines(self, block: DocumentBlock, *forms: DocumentForm) -> str:
        """Format the lines of a block that have one of these forms, one behind the other."""
        return " ".join(map(self.line, block.lines_of(*forms)))

    def line(self, line: DocumentLine) -> str:
        """Format a line, with its items as a nested list."""
        text = "".join(map(self.span, line.spans))
        match line.form:
            case DocumentForm.QUOTE:
                paragraphs = " ".join("".join(map(self.span, item.spans)) for item in line.items)
                return f"#quoted([{text}], [{paragraphs}])"
            case DocumentForm.SENTENCE if line.opening:
                return f"#opened[{line.opening}] {text}"
            case DocumentForm.NOTE:
                text = f"{escape(line.opening)} {text}".strip()
            case DocumentForm.SENTENCE | DocumentForm.FOLDED | DocumentForm.SOURCE | DocumentForm.CODE:
                pass
        items = ", ".join(f"[{self.line(item)}]" for item in line.items)
        return f"{text} #list({items})" if items else text

    def span(self, span: DocumentSpan) -> str:
        """Format a part of a line, a reference with its page."""
        text = escape(span.text)
        if span.number:
            text = f"#num[{unparted_number(span.number)}] {text}"
        if span.key and self.has_place(span.key):
            return f"#to({quote(anchor(span.key))})[{text}]"
        return f"#emph[{text}]" if span.is_emphasized else text

    def example(self, example: PrintableExample, home: BookKey) -> str:
        """Format one example with the engine's answers."""
        drawing = example.drawing
        svg, mark, same = self.map_of(example, home)
        legend = "; ".join(f"*{escape(piece)}* {escape(description)}" for piece, description in drawing.legend)
        lines: list[str] = [f"#because[{part}.]" for part in (same, legend) if part]
        lines += [f"#because[{escape(' '.join(drawing.notes))}]"] if drawing.notes else []
        lines += [f"#because[{escape(f'Dice: {example.dice}.')}]"] if example.dice else []
        for line in example.lines:
            lines.append(f"#answer[{escape(line.text)}]" if line.answer else f"#told[{escape(line.text)}]")
            lines += self.reasons(line)
        lines += self.cases(example) if example.rows else ()
        stack_note = f" (under {example.stack})" if example.stack else ""
        return f"#example([{mark}{escape(example.title + stack_note)}.], {svg}, [{' '.join(lines)}])"

    def cases(self, example: PrintableExample) -> Iterator[str]:
        """Format the cases of an example as a table, with abbreviated answers."""
        heads = [*example.names, *example.questions]
        rows = [(*row.given, *(answer for answer, _ in row.answers)) for row in example.rows]
        if len(heads) > ABREAST and len(rows) < len(heads):  # It has more room downward.
            heads, *rows = zip(heads, *rows, strict=True)  # type: ignore[assignment]
        short = cell_abbreviations((answer for row in example.rows for answer, _ in row.answers), len(heads))
        table = [f"head[{escape(head)}]" for head in heads]
        for row in rows:
            table += [f"[{escape(short.get(value, value))}]" for value in row]
        if example.common:
            yield f"#told[{escape(with_capital(example.common))} …]"
        yield f"#chart([], {len(heads)}, none, {', '.join(table)})"
        if short:
            yield f"#because[{codes_text((code, word) for word, code in short.items())}]"

    def map_of(self, example: PrintableExample, home: BookKey) -> tuple[str, str, str]:
        """Return the picture of an example and its link target, or a reference to a large or near one like it."""
        if not (svg := example.drawing.svg):
            return "none", "", ""
        number, first, near = self.drawn.setdefault(svg, (len(self.drawn), example, home))
        target = quote(f"map-{number}")
        if first is not example and (near == home or picture_width(svg, SCALE) >= LARGE):
            return "none", "", f"The map is that of #to({target})[{escape(first.title)}]"
        return self.picture(svg), f'#metadata("x")#label({target})' if first is example else "", ""

    def reasons(self, line: ExampleStep) -> Iterator[str]:
        """Format the reasons of an answer; for a mere definition, the answers that it depends on."""
        informative = [each for each in line.why if each.why or each.cells or not self.only_defines(each.rule)]
        for reason in informative:
            cells = "".join(
                f"; {escape(cell_words(self.contents, cell))}: {escape(says)}" for cell, says in reason.cells
            )
            text = f": {escape('; '.join(reason.why))}" if reason.why else ""
            yield f"#because[{self.labels([reason.rule])}{text}{cells}]"
        if line.why and not informative:
            for text, labels in line.steps[:RESTS_ON]:
                rule_labels = [label for label in labels if not self.only_defines(label)]
                separator = ": " if rule_labels else ""
                yield f"#because[{escape(text.removesuffix('.'))}{separator}{self.labels(rule_labels)}]"
        if line.default and not line.why:
            yield f"#because[{escape(line.default)}]"

    def only_defines(self, label: str) -> bool:
        """Return whether a rule only defines a word."""
        rule = self.contents.book.rules.get(label)
        return rule is not None and self.contents.printed_places.only_defines(rule)

    def chart_cells(self, chart: PrintedChart, *, is_low: bool = False) -> str:
        """Format only the cells of a chart and its codes, for a panel."""
        short, codes = chart_codes(chart)
        cells = chart_boxes(chart, lambda cell: escape(short.get(cell.text, cell.text)), short, is_low=is_low)
        text = legend_text(chart, codes)
        legend = f"[{text}]" if text else "none"
        return f"grille({column_count(chart)}, {legend}, {', '.join(cells)})"

    def chart(self, chart: PrintedChart) -> str:
        """Format a chart with its sources."""
        short, codes = chart_codes(chart)
        cells = chart_boxes(
            chart,
            lambda cell: escape(short.get(cell.text, cell.text)) + (f"#super[{cell.note}]" if cell.note else ""),
            short,
        )
        title, cites = f"{chart_heading(chart.title)} {chart_place(chart)}", escape(" ".join(chart.cites))
        notes = "; ".join(escape(f"{letter} {' '.join(cites)}") for letter, cites in chart.notes)
        after = f"#text(7pt, fill: soft)[{'. '.join(filter(None, (legend_text(chart, codes), notes)))}]"
        note = f"[{cites}]" if cites else "none"
        return f"#chart([{title}], {column_count(chart)}, {note}, {', '.join(cells)})\n{after}"

    def steps(self, lines: tuple[ProcedureLine, ...]) -> str:
        """Print steps as a numbered list, and before it what the step around them counts up."""
        items = []
        counted = counted_text(lines)
        lines = tuple(line for line in lines if not line.counted)
        for line in lines:
            titles = [self.contents.titles.get(("procedure", key), key) for key in line.leads]
            leads = ", ".join(f"_{escape(title)}_" for title in titles)
            is_only_lead = line.leads and line.text.endswith("”.")  # All that is done is the one thing it leads to.
            if line.leads and not is_only_lead and not line.text.endswith(":"):
                leads = ""  # The text names it, with the amounts for which it is done.
            text = f"*{escape(line.title)}*" if line.title else "" if is_only_lead else escape(line.printed_text)
            nested_list = self.steps(line.inside) if line.inside else ""
            items.append(f"[{text} {leads} {nested_list}]")
        return f"{counted} #enum({', '.join(items)})" if items else counted

    def procedure(self, kind: str, lines: tuple[ProcedureLine, ...]) -> str:
        """Format the steps of a procedure; those of a sequence in the style of rulebooks."""
        if kind == "sequence":
            return turn_text(self.contents, lines)
        return f"#[#set text(8pt); {self.steps(lines)}]" if lines else ""

    def sequence_of_play(self) -> Iterator[str]:
        """Format the sequence of play under its heading, if there is one."""
        if self.turn:
            title = " ".join(filter(None, (self.contents.play_number, "Sequence of play")))
            yield f"#heading(level: 1)[{title}] #label({quote(anchor(SEQUENCE))})"
            yield from self.turn

    def play(self, groups: dict[str, str]) -> Iterator[str]:
        """Format procedures of some sorts, each under its heading."""
        book = self.contents.book
        for kind, heading in groups.items():
            procedures = [(name, procedure) for name, procedure in book.procedures.items() if procedure.what == kind]
            procedures.sort(key=lambda item: (*written_rank(book, item[1]), item[0]))
            if procedures and heading:
                yield f"== {heading}"
            for name, procedure in procedures:
                lines = table_lines(book, procedure)
                if not (lines or procedure.prose or rulings_on(book, name)):
                    continue  # Only a computer has to write that down.
                title = self.contents.titles["procedure", name]
                if heading or len(procedures) > 1:
                    yield f"#heading(level: 3, outlined: false)[{escape(title)}]"
                yield "" if procedure.prose.removesuffix(".") == title else escape(procedure.prose)
                yield self.procedure(kind, lines)
                for on in rulings_on(book, name):
                    yield f"_Ruling:_ {escape(on.asks)} {escape(on.answers)} {escape(' '.join(on.cites))}"

    def indexes(self, size: float) -> Iterator[str]:
        """Format the index of subjects and that of sources, with pages, in columns of their own."""
        subjects, sources = index_text("Index", size, self.subjects()), index_text("Sources", 7.5, self.cited_items())
        yield f"#text_ends #indexes({subjects}, {sources})"

    def short_indexes(self, size: float) -> Iterator[str]:
        """Format the index of subjects and that of sources in the columns of the text."""
        yield from ["= Index", short_index(size, self.subjects())]
        yield from ["= Sources", short_index(7.5, self.cited_items())]

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
        yield head or (f"(0, [*{escape(entry.word)}*], {len(entry.word)}, (), [])" if sub_lines else "")
        yield from sub_lines

    def index_entry(self, word: str, keys: Iterable[BookKey], indent: int = 0, others: tuple[str, ...] = ()) -> str:
        """Format an entry of an index, if it has a page or refers to other entries."""
        anchors = [quote(anchor(key)) for key in keys if self.has_place(key)]
        also = f"_see_ {escape(', '.join(others))}" if others else ""
        names = "".join(f"{name}, " for name in anchors)
        return f"({indent}, [{word}], {len(word + also)}, ({names}), [{also}])" if anchors or also else ""


def write_book_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the book."""
    press = TypstWriter(contents)
    book = contents.book
    procedures = list(press.play(HEADINGS))
    parts = [
        opening_lines(contents, "umpire's edition"),
        f"#show: look.with({quote(title)}, {quote(short_title(book))}, [{escape(umpire_counts(contents))}], "
        'edition: "umpire\'s edition")',
        '#show outline.entry.where(level: 1): set text(weight: "bold")',
        "#outline(depth: 2, title: none)",
        *press.sequence_of_play(),
        *(line for section in contents.outline for line in press.section(section)),
        *(["= Procedures", *procedures] if procedures else []),
        *(["= Charts", *map(press.chart, contents.charts)] if contents.charts else []),
        *(["= Unit function charts", *unit_charts(press.contents, press.picture)] if book.counters else []),
        *(press.short_indexes(8) if has_short_appendix(contents) else press.indexes(8)),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}
