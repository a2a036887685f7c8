"""The items of the source documents, and where they are used.

The input is a graph and its citations; the output is documents with their sections and items in their own order,
including those without a citation, so that a reader sees what was left out; items of no document come last.
"""

from collections.abc import Mapping

from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CitedItem:
    """An item of a document, and what cites it: nothing if the rules leave it out."""

    name: str
    places: tuple[BookKey, ...]


@frozen_dataclass
class SourceSection:
    """A section of a document; `heading` is "" if it is unknown."""

    heading: str
    items: tuple[CitedItem, ...]


@frozen_dataclass
class Source:
    """A document that the book cites. The one for our own rules has no prefix."""

    prefix: str
    title: str
    edition: str
    parts: tuple[SourceSection, ...]

    @property
    def items(self) -> tuple[CitedItem, ...]:
        """Return all items in order."""
        return tuple(item for part in self.parts for item in part.items)

    @property
    def count_used(self) -> int:
        """Count the items that are cited in the book."""
        return sum(bool(item.places) for item in self.items)


def gather_sources(book: graph.Graph, cited: Mapping[str, tuple[BookKey, ...]]) -> tuple[Source, ...]:
    """Return all documents that are cited in the book."""
    found: list[Source] = []
    left = dict(cited)
    for document in book.documents:
        document_items = {item for item in left if item == document.prefix or item.startswith(f"{document.prefix}.")}
        if document_items:
            found.append(_source(document, {item: left.pop(item) for item in document_items}))
    if left:
        items = tuple(CitedItem(name, places) for name, places in sorted(left.items()))
        found.append(
            Source("", "Our own", "decisions and definitions without a printed source", (SourceSection("", items),))
        )
    return tuple(found)


def _source(document: graph.Document, places_by_item: dict[str, tuple[BookKey, ...]]) -> Source:
    headings = dict(document.headings)
    parts = []
    for section, count in document.sections:
        names = [f"{document.prefix}.{section}.{number:02d}" for number in range(1, count + 1)]
        parts.append(
            SourceSection(
                headings.get(section, ""), tuple(CitedItem(name, places_by_item.pop(name, ())) for name in names)
            )
        )
    # Charts and the like are cited by name, outside any section.
    rest = tuple(CitedItem(name, places) for name, places in sorted(places_by_item.items()))
    return Source(
        document.prefix, document.title, document.edition, (*parts, *([SourceSection("", rest)] if rest else []))
    )
