"""The list of citations: every item of each source document, and where it is used.

The input is the contents of a book; the output is one text with a line for each item in the order of its document;
items without a citation are listed as such, so that a reader sees what was left out.
"""

from collections.abc import Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import Thing


def write_citations(contents: Contents, title: str) -> bytes:
    """Format the list."""
    parts = [f"Where the items of the sources went: {title}"]
    for source in contents.sources:
        edition = f", {source.edition}" if source.edition else ""
        count = f"{source.count_used} of {len(source.items)} items are in this book"
        parts.append(
            f"\n{source.prefix}  {source.title}{edition}: {count}\n" if source.prefix else f"\n{source.title}\n"
        )
        parts += [f"{item.name}  {_places(contents, item.places)}" for item in source.items]
    return ("\n".join(parts) + "\n").encode()


def _places(contents: Contents, things: tuple[Thing, ...]) -> str:
    return "; ".join(_place(contents, things)) or "not in this book"


def _place(contents: Contents, things: tuple[Thing, ...]) -> Iterator[str]:
    for thing in things:
        number = contents.numbers.get(thing, "")
        yield f"{thing[0]} {number} {thing[1]}".replace("  ", " ")
