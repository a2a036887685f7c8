"""Lay the document tree of the book out as Markdown for wikis: pages with links between them, examples in words.

The input is the contents of a book; the output is files by path. Numbers and labels are those of the site; links
between pages use the label, which wikis preserve as an anchor.
"""

from collections.abc import Iterable, Iterator
from typing import assert_never

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents
from compiler.rulebook.counter_sheets import CounterSheet
from compiler.rulebook.drawings.diagrams import Drawing
from compiler.rulebook.examples import PrintableExample
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.links import address_part
from compiler.rulebook.markdown_text import escape, label_anchor, markdown_table
from runtime.graph.document import (
    BlockForm,
    BookEdition,
    DocumentBlock,
    DocumentForm,
    DocumentLine,
    DocumentSpan,
    line_runs,
)
from runtime.graph.document_text import line_text

KINDS = ("case", "rule", "ruling", "chart", "dispute", "procedure", "term", "page")  # what a wiki has a place for
NESTED = "   "  # the indent of a list within a list


def write_wiki(contents: Contents) -> dict[str, bytes]:
    """Write every page."""
    wiki = MarkdownWriter(contents)
    files = {}
    for name, block in wiki.blocks_by_page.items():
        files[name] = [part for piece in block for part in wiki.block(piece)]
    return {f"wiki/{name}.md": ("\n\n".join(filter(None, parts)) + "\n").encode() for name, parts in files.items()}


class MarkdownWriter:
    """A writer of Markdown with the page of each printed thing."""

    def __init__(self, contents: Contents) -> None:
        """Build the pages, and compute the page of each thing that is printed on one."""
        self.contents = contents
        blocks = BookBlockBuilder(contents, BookEdition.WIKI, lambda key: contents.is_printed(key, KINDS))
        play = (blocks.play.play(), blocks.play.procedures())
        self.blocks_by_page: dict[str, tuple[DocumentBlock, ...]] = {
            "Home": (blocks.cover(),),
            "Sequence-of-play": play,
        }
        for block in (*blocks.sections(), *blocks.pages()):
            self.blocks_by_page[_page_name(block)] = (block,)
        for block in blocks.decisions():
            self.blocks_by_page[f"Question-{address_part(block.key[1])}"] = (block,)
        self.pages: dict[BookKey, str] = {("page", "play"): "Sequence-of-play"}
        for page, pieces in self.blocks_by_page.items():
            self.pages |= dict.fromkeys(_keys_of(pieces), page)

    def block(self, block: DocumentBlock, depth: int = 1) -> Iterator[str]:
        """Yield the paragraphs of a block of the document tree and of the blocks under it."""
        target = f'<a id="{label_anchor(block.key)}"></a>' if block.key[1] else ""
        match block.form:
            case BlockForm.SECTION:
                yield target
                yield f"{'#' * min(depth, 6)} {self.heading(block)}"
                yield from self.lines(block.lines)
            case BlockForm.RULE:
                text = " ".join(map(self.text, block.lines[:1]))  # It goes on in the line of its title.
                yield f"{target}**{self.heading(block)}.** {text}".rstrip()
                yield from self.block(block.text_block) if block.text_block else ()
                yield from self.lines(block.lines[1:])
            case BlockForm.ASIDE:
                paragraphs = (f"**Ruling {self.heading(block)}**", *self.lines(block.lines))
                yield f"{target}\n\n> " + "\n>\n> ".join(part.replace("\n", "\n> ") for part in paragraphs)
            case BlockForm.FIGURE:
                assert isinstance(block.data, Drawing)
                yield f"**Example: {self.heading(block)}.** {escape(block.data.alternative_text)}"
                yield from self.lines(block.lines)
            case BlockForm.TABLE:
                yield f"{target}**{self.heading(block)}**" if block.title else ""
                yield from _table(block.data)
                yield from self.lines(block.lines)
            case BlockForm.GROUP:
                yield from self.lines(block.lines)
            case form:
                assert_never(form)
        for inner in block.blocks:
            yield from self.block(inner, depth + 1)

    def heading(self, block: DocumentBlock) -> str:
        """Return number and title of a block, or the reference in place of them, with its tags."""
        tags = f" ({', '.join(tag.text for tag in block.tags)})" if block.tags else ""
        title = self.span(block.heading) if block.heading else escape(f"{block.number} {block.title}".strip())
        return f"{title}{escape(tags)}"

    def lines(self, lines: tuple[DocumentLine, ...]) -> Iterator[str]:
        """Yield lines as paragraphs and lists."""
        for form, run in line_runs(lines):
            match form:
                case DocumentForm.NOTE:
                    yield " ".join(f"{line.opening} {self.text(line)}".strip() for line in run)
                case DocumentForm.SENTENCE | DocumentForm.FOLDED | DocumentForm.BOXED | DocumentForm.COMPARED:
                    for line in run:
                        text = f"{self.opening(line)}{self.text(line)}".strip()
                        yield "\n".join([text, *self.items(line.items, "")])
                case DocumentForm.QUOTE:
                    for line in run:
                        yield f"> **{self.text(line)}** {' '.join(map(self.text, line.items))}"
                case _:
                    yield "\n".join(self.items(run, ""))

    def items(self, lines: Iterable[DocumentLine], margin: str) -> Iterator[str]:
        """Yield lines as the items of a list, each with those below it; notes stand in the line that they are about."""
        for line in lines:
            mark = line.mark if line.mark[:1].isdigit() else f"- {line.mark}"  # Markdown has no lettered lists.
            arrow = "→ " if line.form is DocumentForm.ANSWER else ""
            target = f'<a id="{label_anchor(line.key)}"></a>' if line.key else ""
            notes = [f" {self.text(item)}" for item in line.items if item.form.run is DocumentForm.NOTE]
            text = f"{arrow}{self.opening(line)}{self.text(line)}{''.join(notes)}"
            yield f"{margin}{mark.strip()} {target}{text}".rstrip()
            yield from self.items(
                (item for item in line.items if item.form.run is not DocumentForm.NOTE), margin + NESTED
            )

    def opening(self, line: DocumentLine) -> str:
        """Return the words before a line."""
        return f"**{line.opening}** " if line.opening else ""

    def text(self, line: DocumentLine) -> str:
        """Return the words of a line."""
        return "".join(map(self.span, line.spans))

    def span(self, span: DocumentSpan) -> str:
        """Return a part of a line."""
        text = escape(f"{span.number} {span.text}" if span.number else span.text)
        if span.key in self.pages:
            anchor = "" if span.key[0] == "page" else f"#{label_anchor(span.key)}"
            return f"[{text}]({self.pages[span.key]}.md{anchor})"
        mark = "**" if span.is_strong else "*" if span.is_emphasized else ""
        return f"{mark}{text}{mark}"


def _page_name(block: DocumentBlock) -> str:
    return address_part(f"{block.number} {block.title}".strip().replace(" ", "-"))


def _keys_of(blocks: Iterable[DocumentBlock]) -> Iterator[BookKey]:
    """Yield the keys of blocks, of their lines, and of all below them."""
    for block in blocks:
        yield block.key
        yield from (line.key for line in block.lines if line.key)
        yield from _keys_of((*block.blocks, *([block.text_block] if block.text_block else [])))


def _table(data: object) -> Iterator[str]:
    """Yield a chart with the meanings of its codes, the cases of an example, or counters, as a table."""
    match data:
        case PrintedChart():
            heads = ([""] if data.grid else []) + list(data.heads)
            yield markdown_table(heads, [[*row.heads, *(cell.text for cell in row.cells)] for row in data.rows])
            yield "; ".join(f"{code}: {sense}" for code, sense in data.codes)
        case PrintableExample():
            rows = [[*row.given, *(answer for answer, _ in row.answers)] for row in data.rows]
            yield markdown_table([*data.names, *data.questions], rows)
        case CounterSheet():
            rows = [[row.title, *row.values, *map(line_text, row.remarks)] for row in data.rows]
            yield markdown_table(["unit", *data.factors, *data.remarks], rows)
        case _:
            raise TypeError(data)
