"""The index that the search of the book looks through, written as a script so that it loads from a file.

In: everything the book prints. Out: one row for each thing: sort, title, number, address, what is said, what stands
around it, and its exact sense; and pairs of words, one that readers use and one that the book uses.
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
    around: str = ""
    logic: str = ""
    beside: str = ""  # the address of the rule that it stands under


def write_index(rows: tuple[Found, ...], see: tuple[tuple[str, str], ...]) -> bytes:
    """Write the rows, and what else they may be called, as a script that sets two names."""
    listed = [
        [row.sort, row.title, row.number, row.address, row.words, row.around, row.logic, row.beside]
        for row in rows
        if row.address
    ]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in listed)
    pairs = json.dumps(see, ensure_ascii=False, separators=(",", ":"))
    return f"const BOOK = [\n{lines}\n];\nconst SEE = {pairs};\n".encode()
