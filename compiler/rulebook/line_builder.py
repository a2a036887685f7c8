"""Make lines of the document tree for one edition, with references to what the book contains.

In: the contents of a book, an edition, and which things that edition has. Out: `DocumentLine`s and their spans.
"""

from collections.abc import Callable, Iterable, Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.exact_words import ExactSentence
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.links import lasting_address
from runtime.graph.document import (
    BlockRole,
    BookEdition,
    DocumentBlock,
    DocumentLine,
    DocumentRole,
    DocumentSpan,
    DocumentTag,
)


class LineBuilder:
    """A builder of the lines of one edition."""

    def __init__(self, contents: Contents, edition: BookEdition, has_place: Callable[[BookKey], bool]) -> None:
        """Store what the book contains, and whether the edition has a place to which one may refer."""
        self.contents = contents
        self.edition = edition
        self.has_place = has_place

    def name(self, key: BookKey, title: str = "") -> DocumentSpan:
        """Return a reference to a thing by its number and title."""
        return DocumentSpan(title or self.contents.titles.get(key, key[1]), key, self.contents.numbers.get(key, ""))

    def names(self, keys: Iterable[BookKey]) -> Iterator[DocumentSpan]:
        """Yield references to things, with commas between them."""
        return joined(map(self.name, keys), ", ")

    def sources(self, cites: Iterable[str]) -> Iterator[DocumentLine]:
        """Yield a line of the cited paragraphs, if there are any."""
        if spans := tuple(joined((DocumentSpan(item, ("source", item)) for item in cites), " ")):
            yield text_line(DocumentRole.SOURCES, *spans)

    def quotes(self, cites: Iterable[str]) -> Iterator[DocumentLine]:
        """Yield the words of the cited paragraphs, where the user has them."""
        for item in cites:
            if item in self.contents.quoted:
                paragraphs = [text_line(DocumentRole.QUOTED, text) for text in self.contents.quoted[item]]
                yield text_line(DocumentRole.QUOTED, item, items=paragraphs)

    def in_edition(self, lines: Iterable[DocumentLine]) -> tuple[DocumentLine, ...]:
        """Return the lines that the edition has."""
        return tuple(line for line in lines if self.edition in line.role.editions)


def text_line(
    role: DocumentRole,
    *parts: DocumentSpan | str,
    items: Iterable[DocumentLine] = (),
    mark: str = "",
    key: BookKey | None = None,
) -> DocumentLine:
    """Return a line of spans and plain texts; empty texts are left out."""
    spans = tuple(DocumentSpan(part) if isinstance(part, str) else part for part in parts if part)
    return DocumentLine(role, spans, tuple(items), mark, key)


def cells_of(role: DocumentRole, texts: Iterable[str]) -> Iterator[DocumentLine]:
    """Yield a cell of a table for each text."""
    return (text_line(role, text) for text in texts)


def row_line(cells: Iterable[DocumentLine], key: BookKey | None = None) -> DocumentLine:
    """Return a row of a table."""
    return text_line(DocumentRole.ROW, items=cells, key=key)


def listing(
    name: str,
    title: str = "",
    lines: Iterable[DocumentLine] = (),
    blocks: Iterable[DocumentBlock] = (),
    *,
    heading: DocumentSpan | None = None,
    tags: tuple[DocumentTag, ...] = (),
) -> DocumentBlock:
    """Return a list under a heading, if it has one."""
    role = BlockRole.LISTING if title or heading else BlockRole.REMARK
    key = ("listing", name)
    return DocumentBlock(role, key, "", title, tags, lines=tuple(lines), blocks=tuple(blocks), heading=heading)


def ruling_tags(kind: str, impact: str) -> tuple[DocumentTag, ...]:
    """Return what kind of answer or correction something is, and how much it changes, if that is known."""
    amount = DocumentTag(f"{'no' if impact == 'none' else impact} impact", f"impact-{impact}")
    return (DocumentTag(kind or "ruling", kind), *([amount] if impact else []))


def emphasized(text: str) -> DocumentSpan:
    """Return a text in italics."""
    return DocumentSpan(text, is_emphasized=True)


def strong(text: str) -> DocumentSpan:
    """Return a text in bold letters."""
    return DocumentSpan(text, is_strong=True)


def label_line(kind: str, label: str) -> DocumentLine:
    """Return the label of a thing, which leads to its address that lasts."""
    return text_line(DocumentRole.LABEL, DocumentSpan(label, (kind, label), address=lasting_address(label)))


def exact_line(role: DocumentRole, sentence: ExactSentence) -> DocumentLine:
    """Return a sentence with what it counts up."""
    return text_line(role, sentence.text, items=(exact_line(DocumentRole.ITEM, item) for item in sentence.items))


def joined(spans: Iterable[DocumentSpan], separator: str) -> Iterator[DocumentSpan]:
    """Yield spans with a separator between each two."""
    for place, span in enumerate(spans):
        if place:
            yield DocumentSpan(separator)
        yield span
