"""Text for typst, and its compilation.

The input is sources by file name; the output is the bytes of a PDF. Only the fonts of typst are used and no date is
written, so that equal sources yield equal bytes on all machines.
"""

import json
import re
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from compiler.rulebook.index.mentions import BookKey

TEMPLATES = Path(__file__).parent.parent / "templates"
LOOK = TEMPLATES / "book.typ"
INCLUDED_FILES = ("index.typ", "cards.typ")  # Included with every document; the style of its text is `look.typ`.
# Points of the room below the text that lines and boxes which do not break may need, and the least room for an index.
SLACKS, LEAST_ROOM = (34, 80, 140), 72
SPECIAL = re.compile(r"([\\#$*_`<>@\[\]~/\"'=+-])")


def can_print() -> bool:
    """Return whether typst, the extra `pdf`, is installed."""
    return find_spec("typst") is not None


def print_pdf(sources: dict[str, bytes]) -> bytes:
    """Compile a document to PDF.

    Indexes begin below the text, in the room that its columns leave empty. Where its last lines would then stand behind
    them, less and less of that room is tried; without any, they begin on a page of their own.
    """
    files = {name: (TEMPLATES / name).read_bytes() for name in INCLUDED_FILES} | sources
    if not _ends_behind_index(_end_pages(files, {})):
        return _compile_files(files, {})
    on_own_page = {"indexes": "apart"}
    free = max((end["free"] for end in _end_pages(files, on_own_page)), default=0.0)
    rooms = ({"room": str(round(free - slack))} for slack in SLACKS if free - slack > LEAST_ROOM)
    return _compile_files(
        files, next((room for room in rooms if not _ends_behind_index(_end_pages(files, room))), on_own_page)
    )


def _compile_files(files: dict[str, bytes], inputs: dict[str, str]) -> bytes:
    pdf = import_module("typst").compile(files, ignore_system_fonts=True, format="pdf", sys_inputs=inputs)
    assert isinstance(pdf, bytes), "without a place to write to, typst gives one document"
    return pdf


def _end_pages(files: dict[str, bytes], inputs: dict[str, str]) -> list[dict[str, float]]:
    """Return the pages on which the text ends and its index begins, and the points that are free below the text."""
    found = import_module("typst").query(
        files, "<end-pages>", field="value", ignore_system_fonts=True, sys_inputs=inputs
    )
    return json.loads(found)  # type: ignore[no-any-return]


def _ends_behind_index(found: list[dict[str, float]]) -> bool:
    """Return whether the text ends on a page behind that on which its index begins."""
    return any(end["text"] > end["index"] for end in found)


def anchor(key: BookKey) -> str:
    """Return the label of a thing on paper."""
    return f"{key[0]}:{key[1]}"


def escape(content: str) -> str:
    """Write plain text with all special characters of typst escaped."""
    return SPECIAL.sub(r"\\\1", content)


def unparted_number(number: str) -> str:
    """Write a number that is not split at the end of a line."""
    return escape(number).replace(" ", "~")


def picture_width(svg: str, scale: float) -> float:
    """Return the width of a picture in points, at most that of a column."""
    found = re.search(r'width="([\d.]+)"', svg)
    return min(float(found[1]) * scale if found else 100, 236)


def quote(content: str) -> str:
    """Write a string."""
    return '"' + content.replace("\\", "\\\\").replace('"', '\\"') + '"'


def index_text(title: str, size: float, entries: Iterable[str]) -> str:
    """Format an index with its title."""
    return f"([{title}], {size}pt, ({''.join(f'{entry}, ' for entry in entries if entry)}))"


def short_index(size: float, entries: Iterable[str]) -> str:
    """Format an index in the columns of the text."""
    return f"#short_index({', '.join([f'{size}pt', *filter(None, entries)])})"
