"""Text, tables and anchors in Markdown."""

import re

from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.links import address_part

SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


def escape(content: str) -> str:
    """Write plain text with all special characters of Markdown escaped."""
    return SPECIAL.sub(r"\\\1", content).replace("\n", " ")


def markdown_table(rows: list[list[str]]) -> str:
    """Write a table of cells in Markdown, whose first row is the heads."""
    heads, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([heads, f"|{' --- |' * len(rows[0])}", *others])


def label_anchor(key: BookKey) -> str:
    """Return the anchor of a thing: its label."""
    return address_part(key[1]) if key[0] in ("rule", "case") else f"{key[0]}-{address_part(key[1])}"
