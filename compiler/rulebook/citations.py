"""CITATIONS: every item of every source document, and where it went.

In: the contents of a book. Out: one text, a line for each item in the order of its document; items
that nothing in this book cites are listed as such, so that a reader sees what was left out.
"""

from collections.abc import Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.mentions import Thing
from runtime.graph import nodes as graph


def write_citations(contents: Contents, title: str) -> bytes:
    """Write the list."""
    cited = dict(contents.mentions.cited)
    parts = [f"Where the items of the sources went: {title}"]
    for document in contents.book.documents:
        items = _items(document, cited)
        used = sum(item in cited for item in items)
        if not used:
            continue
        edition = f", {document.edition}" if document.edition else ""
        parts.append(f"\n{document.prefix}  {document.title}{edition}: {used} of {len(items)} items are in this book\n")
        parts += [f"{item}  {_places(contents, cited.pop(item, ()))}" for item in items]
    if cited:
        parts.append("\nOur own\n")
        parts += [f"{item}  {_places(contents, things)}" for item, things in sorted(cited.items())]
    return ("\n".join(parts) + "\n").encode()


def _items(document: graph.Document, cited: dict[str, tuple[Thing, ...]]) -> list[str]:
    """List the items of a document: those of its sections in order, then others that are cited by name."""
    counted = [
        f"{document.prefix}.{section}.{number:02d}"
        for section, count in document.sections
        for number in range(1, count + 1)
    ]
    named = [item for item in cited if item == document.prefix or item.startswith(f"{document.prefix}.")]
    return [*counted, *sorted(set(named) - set(counted))]


def _places(contents: Contents, things: tuple[Thing, ...]) -> str:
    return "; ".join(_place(contents, things)) or "not in this book"


def _place(contents: Contents, things: tuple[Thing, ...]) -> Iterator[str]:
    for thing in things:
        number = contents.numbers.get(thing, "")
        yield f"{thing[0]} {number} {thing[1]}".replace("  ", " ")
