"""Read the texts of the sources from a folder of the user, to print them beside the rules that cite them.

In: a folder with `.md` and `.txt` files, in UTF-8. A line that consists of items of a source, as a Markdown heading
(`## QA.MOVE.02`, `## QA.MOVE.02, QA.MOVE.03`) or in brackets (`[QA.MOVE.02]`), is an anchor: the lines up to the next
anchor or heading are the text of these items. Out: paragraphs by item, which are stored only in the printed book.
Files without an anchor have no effect, and are reported.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rulewright.system.errors import UsageError
from rulewright.system.regular_files import open_regular

SUFFIXES = (".md", ".txt")
ITEM = r"[A-Z][A-Z0-9-]*(?:\.[A-Z0-9][A-Za-z0-9-]*)+"
ANCHOR = re.compile(rf"(?:#{{1,6}}\s+|\[)({ITEM}(?:[\s,]+{ITEM})*)\]?\s*$")
HEADING = re.compile(r"#{1,6}\s")
# The most bytes of a file, and of all files: a book of rules has some hundred thousand.
LARGEST_FILE, LARGEST_FOLDER = 5_000_000, 50_000_000


class _SourceTexts(NamedTuple):
    """Paragraphs by item, and the files without an anchor."""

    paragraphs: Mapping[str, tuple[str, ...]]
    without_anchors: tuple[str, ...]


NO_TEXTS = _SourceTexts({}, ())


def read_source_texts(folder: Path) -> _SourceTexts:
    """Read all files of a folder, in the order of their paths; the texts of a repeated item are joined."""
    found: dict[str, list[str]] = {}
    silent: list[str] = []
    left = LARGEST_FOLDER
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file()):
        text = _text(path, min(LARGEST_FILE, left))
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
    return _SourceTexts({item: tuple(paragraphs) for item, paragraphs in found.items()}, tuple(silent))


def _text(path: Path, most: int) -> str:
    """Read a file of at most `most` bytes; `UsageError` if it is larger or no UTF-8."""
    with open_regular(path) as file:
        read = file.read(most + 1)
    if len(read) > most:
        raise UsageError(f"{path} has more than {most:,} bytes, or the files before it have left no more")
    try:
        return read.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text in UTF-8") from None
