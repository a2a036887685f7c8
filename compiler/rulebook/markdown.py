"""Lay the document tree of the book out as Markdown for wikis: pages with links between them, examples in words.

The input is the contents of a book; the output is files by path. Numbers and labels are those of the site; links
between pages use the label, which wikis preserve as an anchor.
"""

from collections.abc import Iterable, Iterator
from typing import assert_never

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.diagrams import Drawing
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
    lines_by_run,
)

KINDS = (
    "case",
    "rule",
    "ruling",
    "chart",
    "counter",
    "dispute",
    "procedure",
    "term",
    "page",
)  # what a wiki has a place for
NESTED = "   "  # the indent of a list within a list


def write_wiki(contents: Contents) -> dict[str, bytes]:
    """Write every page."""
    wiki = _MarkdownWriter(contents)
    files = {}
    for name, block in wiki.blocks_by_page.items():
        files[name] = [part for piece in block for part in wiki.block(piece)]
    return {f"wiki/{name}.md": ("\n\n".join(filter(None, parts)) + "\n").encode() for name, parts in files.items()}


class _MarkdownWriter:
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
        target = _target(block.key)
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
                    if below := [text for line in run for text in self.items(line.items, "")]:
                        yield "\n".join(below)
                case DocumentForm.SENTENCE | DocumentForm.FOLDED | DocumentForm.BOXED | DocumentForm.COMPARED:
                    for line in run:
                        text = f"{self.opening(line)}{self.text(line)}".strip()
                        yield "\n".join([text, *self.items(line.items, "")])
                case DocumentForm.ROW:
                    yield self.table(run)
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
            notes, below = lines_by_run(line.items, DocumentForm.NOTE)
            text = " ".join([f"{arrow}{self.opening(line)}{self.text(line)}", *map(self.text, notes)])
            yield f"{margin}{mark.strip()} {_target(line.key)}{text}".rstrip()
            yield from self.items(below, margin + NESTED)

    def table(self, rows: tuple[DocumentLine, ...]) -> str:
        """Return rows as a table, without their pictures, the first of which are the heads."""
        columns = [at for at, cell in enumerate(rows[:2][-1].items) if cell.form is not DocumentForm.PICTURE]
        cells = [[self.text(row.items[at]) for at in columns] for row in rows]
        for row, texts in zip(rows, cells, strict=True):
            texts[0] = f"{_target(row.key)}{texts[0]}"
        return markdown_table(cells)

    def opening(self, line: DocumentLine) -> str:
        """Return the words before a line."""
        return f"**{line.opening}** " if line.opening else ""

    def text(self, line: DocumentLine) -> str:
        """Return the words of a line."""
        return "".join(map(self.span, line.spans))

    def span(self, span: DocumentSpan) -> str:
        """Return a part of a line."""
        text = escape(f"{span.number} {span.text}" if span.number else span.text)
        if span.is_raised:
            text = f"<sup>{text}</sup>"
        if span.key in self.pages:
            anchor = "" if span.key[0] == "page" else f"#{label_anchor(span.key)}"
            return f"[{text}]({self.pages[span.key]}.md{anchor})"
        mark = "**" if span.is_strong else "*" if span.is_emphasized else ""
        return f"{mark}{text}{mark}"


def _target(key: BookKey | None) -> str:
    """Return the place to which references to a thing lead; "" if it has none."""
    return f'<a id="{label_anchor(key)}"></a>' if key and key[1] else ""


def _page_name(block: DocumentBlock) -> str:
    return address_part(f"{block.number} {block.title}".strip().replace(" ", "-"))


def _keys_of(blocks: Iterable[DocumentBlock]) -> Iterator[BookKey]:
    """Yield the keys of blocks, of their lines, and of all below them."""
    for block in blocks:
        yield block.key
        yield from (line.key for line in block.lines if line.key)
        yield from _keys_of((*block.blocks, *([block.text_block] if block.text_block else [])))
