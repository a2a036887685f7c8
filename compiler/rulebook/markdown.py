"""The book as Markdown, for wikis: a page for each section, charts, rulings, glossary, index, changes.

The input is the contents of a book; the output is pages by file name. Numbers and labels are those of the site; links
between pages use the label, which wikis preserve as an anchor.
"""

from collections.abc import Iterator

from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents, general_rules
from compiler.rulebook.errata import gather_errata, written_date
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.examples import PrintableExample
from compiler.rulebook.headings import Heading, entries_of, headings_of
from compiler.rulebook.index.keywords import Keyword
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.links import address_part
from compiler.rulebook.markdown_changes import write_changes
from compiler.rulebook.markdown_text import escape, label_anchor, markdown_table
from compiler.rulebook.openings import CLOSED
from compiler.rulebook.preconditions import requirement_sentences
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.rulebook.sequence_of_play import TurnStep, number_turn
from compiler.rulebook.source_order import written_rank
from compiler.rulebook.steps import ProcedureLine
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from runtime.graph.document import (
    BlockRole,
    BookEdition,
    DocumentBlock,
    DocumentForm,
    DocumentLine,
    DocumentSpan,
)
from runtime.graph.related_procedures import rulings_on


def write_wiki(contents: Contents, title: str) -> dict[str, bytes]:
    """Write every page."""
    wiki = MarkdownWriter(contents)
    files = {"Home.md": wiki.home(title)}
    for section in contents.outline:
        files[f"{wiki.page(section)}.md"] = wiki.section(section, 1)
    files["Sequence-of-play.md"] = wiki.play()
    files["Charts.md"] = ["# Charts", *(line for chart in contents.charts for line in wiki.chart(chart))]
    files["Rulings.md"] = wiki.rulings()
    files["Errata.md"] = wiki.errata()
    files["Glossary.md"] = wiki.glossary()
    files["Index.md"] = wiki.index()
    if contents.booklet:
        files["Changes.md"] = [*write_changes(contents, contents.booklet, wiki.name)]
    return {
        f"wiki/{name}": ("\n\n".join(part for part in lines if part) + "\n").encode() for name, lines in files.items()
    }


class MarkdownWriter:
    """A writer of Markdown with the page of each printed thing."""

    def __init__(self, contents: Contents) -> None:
        """Compute the page of each thing printed in the text."""
        self.contents = contents
        self.pages: dict[BookKey, str] = {}
        self.blocks = RuleBlockBuilder(contents, BookEdition.WIKI, self.pages.__contains__)
        for section in contents.outline:
            page = self.page(section)
            self.pages |= {("case", heading.label): page for heading in headings_of(section)}
            self.pages |= {entry.thing: page for entry in entries_of(section)}
        self.pages |= {("chart", chart.name): "Charts" for chart in contents.charts}

    def page(self, section: Heading) -> str:
        """Return the name of the page of a section."""
        return address_part(f"{section.number}-{self.contents.titles['case', section.label]}".replace(" ", "-"))

    def name(self, key: BookKey) -> str:
        """Return a link to a thing."""
        number = self.contents.numbers.get(key, "")
        text = escape(f"{number} {self.contents.titles.get(key, key[1])}".strip())
        page = self.pages.get(key)
        return f"[{text}]({page}.md#{label_anchor(key)})" if page else text

    def home(self, title: str) -> list[str]:
        """Write the front page."""
        parts = [f"# {escape(title)}"]
        for section in self.contents.outline:
            cases = "\n".join(f"  - {self.name(('case', part.label))}" for part in section.parts)
            parts.append(f"- {self.name(('case', section.label))}\n{cases}".rstrip())
        back = ["Sequence-of-play", "Charts", "Rulings", "Glossary", "Index"]
        back += ["Changes"] if self.contents.booklet else []
        return [*parts, "\n".join(f"- [{name.replace('-', ' ')}]({name}.md)" for name in back)]

    def section(self, heading: Heading, depth: int) -> list[str]:
        """Write a section with its contents."""
        key = ("case", heading.label)
        title = escape(f"{heading.number} {self.contents.titles[key]}")
        parts = [f'<a id="{label_anchor(key)}"></a>', f"{'#' * min(depth, 6)} {title}"]
        opened = self.contents.openings.get(heading.label, CLOSED)
        parts += [escape(opened.rule)] if opened.rule else []
        parts += ["\n".join(f"1. {escape(step)}" for step in opened.procedure)] if opened.procedure else []
        parts += [f"> {escape(sentence)}" for _, sentence in general_rules(self.contents, heading)]
        for entry in heading.entries:
            parts += self.block(self.blocks.entry(entry))
        parts += [line for part in heading.parts for line in self.section(part, depth + 1)]
        missing = self.contents.missing_numbers.get(heading.label, "")
        return [*parts, f"*{escape(missing)}*"] if missing else parts

    def block(self, block: DocumentBlock) -> Iterator[str]:
        """Write a block of the document tree and the blocks under it."""
        match block.role:
            case BlockRole.EXAMPLE:
                assert isinstance(block.data, PrintableExample)
                yield from self.example(block.data)
            case BlockRole.RULING:
                yield "\n>\n> ".join(self.ruling_paragraphs(block))
            case BlockRole.RULE | BlockRole.EXCEPTION:
                head = f'<a id="{label_anchor(block.key)}"></a>**{block.number} {escape(block.title)}.**'
                sentences = "\n".join(map(self.line, block.lines_of(DocumentForm.SENTENCE)))
                yield f"{head}{_tags(block)} {sentences}".rstrip()
                if block.text_block:
                    yield from self.block(block.text_block)
                yield "\n".join(map(self.line, block.lines_of(DocumentForm.FOLDED)))
                yield self.notes(block)
                yield "\n>\n".join(f"> {self.line(line)}" for line in block.lines_of(DocumentForm.QUOTE))
            case BlockRole.LOOSE_RULING:
                pass
        for inner in block.blocks:
            yield from self.block(inner)

    def ruling_paragraphs(self, block: DocumentBlock) -> Iterator[str]:
        """Write the paragraphs of a ruling."""
        yield f'<a id="{label_anchor(block.key)}"></a>\n\n> **Ruling**{_tags(block)}'
        yield from map(self.line, block.lines_of(DocumentForm.SENTENCE))
        yield self.notes(block)
        yield from map(self.line, block.lines_of(DocumentForm.QUOTE))

    def notes(self, block: DocumentBlock) -> str:
        """Write the remarks of a block, its label and its sources in one paragraph."""
        return " ".join(map(self.line, block.lines_of(DocumentForm.NOTE, DocumentForm.SOURCE, DocumentForm.CODE)))

    def line(self, line: DocumentLine) -> str:
        """Write a line, what it counts up as a nested list."""
        text = "".join(map(self.span, line.spans))
        items = [item_line for item in line.items for item_line in self.item_lines(item, 0)]
        match line.form:
            case DocumentForm.CODE:
                return f"`{line.spans[0].text}`"
            case DocumentForm.FOLDED:
                return "\n".join([f"*{text}*", *items])
            case DocumentForm.QUOTE:
                return f"**{text}** {' '.join(''.join(map(self.span, item.spans)) for item in line.items)}"
            case DocumentForm.SENTENCE:
                return "\n".join([f"**{line.opening}** {text}" if line.opening else text, *items])
            case DocumentForm.NOTE | DocumentForm.SOURCE:
                return f"{line.opening} {text}".strip()

    def item_lines(self, item: DocumentLine, depth: int) -> Iterator[str]:
        """Write an item of a list, and the list under it."""
        yield f"{'   ' * depth}- {''.join(map(self.span, item.spans))}"
        for inner in item.items:
            yield from self.item_lines(inner, depth + 1)

    def span(self, span: DocumentSpan) -> str:
        """Write a part of a line."""
        page = self.pages.get(span.key) if span.key else None
        text = escape(f"{span.number} {span.text}".strip() if span.number else span.text)
        if page and span.key:
            return f"[{text}]({page}.md#{label_anchor(span.key)})"
        return f"*{text}*" if span.is_emphasized else text

    def example(self, example: PrintableExample) -> Iterator[str]:
        """Write an example in words: its settings, then each answer with its reasons."""
        stack_note = f" (under {example.stack})" if example.stack else ""
        lines = [f"- **Example: {escape(example.title + stack_note)}.** {escape(example.drawing.alternative_text)}"]
        for line in example.lines:
            named = ", ".join(self.name(self.contents.thing_of_reason(label)) for label in line.reasons)
            reasons = f" ({named})" if named else ""
            lines.append(f"  - {'→ ' if line.answer else ''}{escape(line.text)}{reasons}")
        yield "\n".join(lines)
        if example.rows:
            rows = [[*row.given, *(answer for answer, _ in row.answers)] for row in example.rows]
            yield markdown_table([*example.names, *example.questions], rows)

    def chart(self, chart: PrintedChart) -> Iterator[str]:
        """Write a chart."""
        yield f'<a id="{label_anchor(("chart", chart.name))}"></a>\n\n## {escape(chart.title)}'
        heads = ([""] if chart.grid else []) + list(chart.heads)
        yield markdown_table(heads, [[*row.heads, *(cell.text for cell in row.cells)] for row in chart.rows])
        yield "; ".join([*chart.cites, *(f"{code}: {sense}" for code, sense in chart.codes)])

    def play(self) -> list[str]:
        """Write the sequence of play and what players may do."""
        book = self.contents.book
        parts = ["# Sequence of play"]
        for name, node in sorted(
            book.procedures.items(), key=lambda item: (item[1].what != "sequence", *written_rank(book, item[1]))
        ):
            lines = table_lines(book, node)
            parts += [f"## {escape(self.contents.titles['procedure', name])}", escape(node.prose)]
            sequence = node.what == "sequence"
            listed = self.turn(number_turn(self.contents, lines), 0) if sequence else steps(lines, 0)
            parts.append("\n".join(listed))
            parts += [f"> **Ruling** {self.name(('ruling', on.label))}: {escape(on.asks)} {escape(on.answers)}"
                      for on in rulings_on(book, name)]  # fmt: skip
        if book.preconditions:
            parts.append("## What has to be allowed")
            parts.append("\n".join(line for node in book.preconditions for line in precondition_lines(book, node)))
        return parts

    def turn(self, steps: tuple[TurnStep, ...], depth: int) -> Iterator[str]:
        """Write the sequence of play as a nested list, phases with the cases that describe what is done in them."""
        for step in steps:
            cases = ", ".join(map(self.name, step.cases))
            text = f"**{escape(step.title)}**{f' ({cases})' if cases else ''}" if step.title else escape(step.text)
            deeds = [escape(self.contents.titles[key]) for key in step.leads]
            mark = f"{step.place}." if step.place else "-"
            yield f"{'   ' * depth}{mark} {' '.join([text, *deeds] if len(deeds) < 2 else [text])}".rstrip()
            yield from (f"{'   ' * (depth + 1)}- {deed}" for deed in (deeds if len(deeds) > 1 else ()))
            yield from self.turn(step.inside, depth + 1)

    def rulings(self) -> list[str]:
        """Write the list of rulings."""
        book = self.contents.book
        rulings = sorted(book.rulings.values(), key=lambda ruling: (*written_rank(book, ruling), ruling.label))
        return [
            "# Rulings",
            "\n".join(f"- {self.name(('ruling', entry.label))}: {escape(entry.asks)}" for entry in rulings),
        ]

    def errata(self) -> list[str]:
        """Write the errata by date."""
        paragraphs = ["# Errata by date"]
        for date, errata in gather_errata(self.contents).groups:
            paragraphs.append(f"## {written_date(date)}")
            for erratum in errata:
                lines = [f"- {self.name(erratum.thing)} ({erratum.kind})"]
                lines += [f"  Before, {self.name(key)}: {escape(sentence)}" for key, sentence in erratum.before]
                lines += [f"  Now: {escape(erratum.now)}"]
                lines += [f"  Stands in {', '.join(self.name(key) for key, _ in erratum.stands)}."] * bool(
                    erratum.stands
                )
                paragraphs.append("\n".join(lines))
        return paragraphs

    def glossary(self) -> list[str]:
        """Write the glossary."""
        parts = ["# Glossary"]
        for group in self.contents.glossary_groups:
            parts.append(f"## {escape(group.title)}")
            parts.append("\n".join(f"- **{escape(gloss.word)}**: {escape(gloss.sense)}" for gloss in group.glosses))
        return parts

    def index(self) -> list[str]:
        """Write the index of subjects."""
        return ["# Index", "\n".join(
            f"- **{escape(entry.word)}**: {', '.join([*map(self.name, entry.places), *_see(entry)])}"
            + "".join(f"\n  - {escape(phrase)}: {', '.join(map(self.name, places))}" for phrase, places in entry.under)
            for entry in self.contents.keywords
        )]  # fmt: skip


def steps(lines: tuple[ProcedureLine, ...], depth: int) -> Iterator[str]:
    """Write steps as a nested list."""
    for line in lines:
        yield f"{'   ' * depth}{'-' if line.counted else '1.'} {escape(line.title or line.printed_text)}"
        yield from steps(line.inside, depth + 1)


def exact_lines(parts: tuple[ExactSentence, ...], depth: int) -> Iterator[str]:
    """Write exact words, what they count up as nested lists."""
    for part in parts:
        yield f"*{escape(part.text)}*" if not depth else f"{'   ' * (depth - 1)}- {escape(part.text)}"
        yield from exact_lines(part.items, depth + 1)
        yield from [""] * (not depth)


def precondition_lines(book: graph.Graph, precondition: graph.Precondition) -> Iterator[str]:
    """Write what a step needs, what that counts up as a nested list."""
    first, *more = requirement_sentences(book, precondition)
    yield f"- {escape(f'{precondition.prose} {first.text}'.strip())}"
    yield from exact_lines(first.items, 2)
    for each in more:
        yield f"   {escape(each.text)}"
        yield from exact_lines(each.items, 2)


def _tags(block: DocumentBlock) -> str:
    return f" ({', '.join(tag.text for tag in block.tags)})" if block.tags else ""


def _see(entry: Keyword) -> list[str]:
    return [f"see {escape(', '.join(entry.cross_references))}"] if entry.cross_references else []
