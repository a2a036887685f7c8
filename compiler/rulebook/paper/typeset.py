"""Text for typst, and its compilation.

The input is sources by file name; the output is the bytes of a PDF. Only the fonts of typst are used and no date is
written, so that equal sources yield equal bytes on all machines.
"""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from compiler.rulebook.index.mentions import BookKey

TEMPLATES = Path(__file__).parent.parent / "templates"
LOOK = TEMPLATES / "book.typ"
INCLUDED_FILES = ("index.typ", "cards.typ")  # Included with every document; the style of its text is `look.typ`.
SPECIAL = re.compile(r"([\\#$*_`<>@\[\]~/\"'=+-])")


def can_print() -> bool:
    """Return whether typst, the extra `pdf`, is installed."""
    return find_spec("typst") is not None


def print_pdf(sources: dict[str, bytes]) -> bytes:
    """Compile a document to PDF."""
    files = {name: (TEMPLATES / name).read_bytes() for name in INCLUDED_FILES} | sources
    pdf = import_module("typst").compile(files, ignore_system_fonts=True, format="pdf")
    assert isinstance(pdf, bytes), "without a place to write to, typst gives one document"
    return pdf


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
