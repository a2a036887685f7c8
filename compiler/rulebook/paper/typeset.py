"""Text for typst, and what typst makes of it.

In: sources by file name. Out: the bytes of a PDF. Only the fonts that typst brings are used and no date is
written, so the same sources give the same bytes anywhere.
"""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from compiler.rulebook.index.mentions import Thing

TEMPLATES = Path(__file__).parent.parent / "templates"
LOOK = TEMPLATES / "book.typ"
PARTS = ("index.typ", "cards.typ")  # What goes with every document; the look of its text is `look.typ`.
SPECIAL = re.compile(r"([\\#$*_`<>@\[\]~/\"'=+-])")


def can_print() -> bool:
    """Return whether typst, the extra `pdf`, is installed."""
    return find_spec("typst") is not None


def print_pdf(sources: dict[str, bytes]) -> bytes:
    """Print a document."""
    parts = {name: (TEMPLATES / name).read_bytes() for name in PARTS}
    made = import_module("typst").compile(parts | sources, ignore_system_fonts=True, format="pdf")
    assert isinstance(made, bytes), "without a place to write to, typst gives one document"
    return made


def anchor(thing: Thing) -> str:
    """Name the place of a thing on paper."""
    return f"{thing[0]}:{thing[1]}"


def escape(content: str) -> str:
    """Write plain text, none of which means anything to typst."""
    return SPECIAL.sub(r"\\\1", content)


def unparted_number(number: str) -> str:
    """Write a number that is not parted at the end of a line."""
    return escape(number).replace(" ", "~")


def quote(content: str) -> str:
    """Write a string."""
    return '"' + content.replace("\\", "\\\\").replace('"', '\\"') + '"'
