"""The index that the search of the book looks through, written as a script so that it loads from a file.

In: everything the book prints. Out: one row for each thing: sort, title, number, address, words.
"""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """One thing a reader may look for."""

    sort: str
    title: str
    number: str
    address: str
    words: str


def write_index(rows: tuple[Found, ...]) -> bytes:
    """Write the rows as a script that sets one name."""
    listed = [[row.sort, row.title, row.number, row.address, row.words] for row in rows if row.address]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in listed)
    return f"const BOOK = [\n{lines}\n];\n".encode()
