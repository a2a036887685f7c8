"""Read the sources' own words from a folder of the user's, to print them beside what is made of them.

In: a folder with `.md` and `.txt` files, in UTF-8. A line that is nothing but items of a source, as a heading of
Markdown (`## QA.MOVE.02`, `## QA.MOVE.02, QA.MOVE.03`) or in brackets (`[QA.MOVE.02]`), is an anchor: what follows up
to the next anchor or heading is the text of these items. Out: paragraphs by item. Nothing of it is kept anywhere but
in the book that is printed with it. Files without an anchor print nothing, and are named.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rulewright.errors import UsageError
from runtime.graph import nodes as graph

SUFFIXES = (".md", ".txt")
ITEM = r"[A-Z][A-Z0-9-]*(?:\.[A-Z0-9][A-Za-z0-9-]*)+"
ANCHOR = re.compile(rf"(?:#{{1,6}}\s+|\[)({ITEM}(?:[\s,]+{ITEM})*)\]?\s*$")
HEADING = re.compile(r"#{1,6}\s")
# Bytes of a file, and of all files together: a book of rules has some hundred thousand.
MOST, MOST_OF_ALL = 5_000_000, 50_000_000


class SourceTexts(NamedTuple):
    """Paragraphs by item, and the files in which no anchor stands."""

    paragraphs: Mapping[str, tuple[str, ...]]
    without_anchors: tuple[str, ...]


NO_TEXTS = SourceTexts({}, ())


def read_source_texts(folder: Path) -> SourceTexts:
    """Read all files of a folder, in the order of their paths; an item that stands twice has both texts."""
    found: dict[str, list[str]] = {}
    silent: list[str] = []
    left = MOST_OF_ALL
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file()):
        text = _text(path, min(MOST, left))
        left -= len(text)
        lines = text.splitlines()
        if not any(map(ANCHOR.match, lines)):
            silent.append(path.relative_to(folder).as_posix())
        items: list[str] = []
        paragraph: list[str] = []
        for line in (*lines, ""):
            anchor = ANCHOR.match(line)
            if line.strip() and not anchor and not HEADING.match(line):
                paragraph.append(line.strip())
                continue
            for item in items if paragraph else ():
                found.setdefault(item, []).append(" ".join(paragraph))
            paragraph = []
            if anchor:
                items = re.findall(ITEM, anchor[1])
            elif line.strip():
                items = []
    if not found:
        raise UsageError(f"no file in {folder} has an anchor such as `## QA.MOVE.02` with text behind it")
    return SourceTexts({item: tuple(paragraphs) for item, paragraphs in found.items()}, tuple(silent))


def _text(path: Path, most: int) -> str:
    """Read a file of so many bytes at most."""
    with path.open("rb") as file:
        read = file.read(most + 1)
    if len(read) > most:
        raise UsageError(f"{path} has more than {most:,} bytes, or the files before it have left no more")
    try:
        return read.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text in UTF-8") from None


def unknown_items(book: graph.Graph, items: list[str]) -> list[str]:
    """List the items that no source document of a stack has, as far as the registry counts them."""
    known = {
        f"{document.prefix}.{section}.{number:02d}"
        for document in book.documents
        for section, count in document.sections
        for number in range(1, count + 1)
    }
    cited = {item for rule in book.rules.values() for item in rule.cites}
    cited |= {item for ruling in book.rulings.values() for item in ruling.cites}
    return [item for item in items if item not in known | cited]
