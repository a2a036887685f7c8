"""The list of citations: every item of each source document, and where it is used.

The input is the contents of a book; the output is one text with a line for each item in the order of its document;
items without a citation are listed as such, so that a reader sees what was left out.
"""

from collections.abc import Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey


def write_citations(contents: Contents, title: str) -> bytes:
    """Format the list."""
    parts = [f"Where the items of the sources went: {title}"]
    for source in contents.sources:
        edition = f", {source.edition}" if source.edition else ""
        count = f"{source.count_used} of {len(source.items)} items are in this book"
        parts.append(
            f"\n{source.prefix}  {source.title}{edition}: {count}\n" if source.prefix else f"\n{source.title}\n"
        )
        parts += [
            f"{item.name}  {'; '.join(_places(contents, item.places)) or 'not in this book'}" for item in source.items
        ]
    return ("\n".join(parts) + "\n").encode()


def _places(contents: Contents, keys: tuple[BookKey, ...]) -> Iterator[str]:
    for key in keys:
        number = contents.numbers.get(key, "")
        yield f"{key[0]} {number} {key[1]}".replace("  ", " ")
