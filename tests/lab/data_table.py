"""Rows of measurements: as data in CSV and JSON, and on a page of docs between two marks.

In: rows of one dataclass. Out: `docs/NAME.csv` and `docs/NAME.json` with all of them, and `docs/NAME.md` with those
that have a line. A row is replaced by a later one of the same key, and dropped when its rules have changed.
"""

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from tests.lab.pairs import ROOT

DOCS = ROOT / "docs"
BEGIN = "<!-- The table is written by `python3 -m tests.lab tables`. -->\n"
END = "<!-- The end of the table. -->\n"
READERS: dict[object, Callable[[str], object]] = {str: str, int: int, float: float}


class Measured(Protocol):
    """A row: what it measures, and the hash of the rules."""

    @property
    def key(self) -> tuple[str, ...]:
        """Return what the row measures; no other row of its table has the same."""

    @property
    def stack(self) -> str:
        """Return the rules of the row, in the notation of stacks; "" for those of the situation."""

    @property
    def cells(self) -> tuple[object, ...] | None:
        """Return the cells on the page; None for a row that stands only in the data."""

    @property
    def situation(self) -> str:
        """Return the name of the situation."""

    @property
    def rules(self) -> str:
        """Return the hash of the rules."""


M = TypeVar("M", bound=Measured)


@dataclass(frozen=True)
class DataTable(Generic[M]):
    """A table of docs: its name, the class of its rows, and the head of its table on the page."""

    name: str
    row: type[M]
    head: str
    folder: Path = DOCS

    def path(self, suffix: str) -> Path:
        """Return the file with a suffix."""
        return self.folder / f"{self.name}{suffix}"

    def rows(self) -> tuple[M, ...]:
        """Read the rows; none if nothing is recorded."""
        if not self.path(".csv").is_file():
            return ()
        with self.path(".csv").open(encoding="utf-8", newline="") as lines:
            return tuple(self._parsed(line) for line in csv.DictReader(lines))

    def _parsed(self, line: dict[str, str]) -> M:
        return self.row(**{field.name: READERS[field.type](line[field.name]) for field in fields(self.row)})  # type: ignore[arg-type] # it is a dataclass

    def write(self, rows: Iterable[M]) -> None:
        """Write the rows in the order of their keys: the data, and the page."""
        ordered = sorted(rows, key=lambda row: row.key)
        trees = [asdict(row) for row in ordered]  # type: ignore[call-overload] # it is a dataclass
        with self.path(".csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(self.row)], lineterminator="\n")  # type: ignore[arg-type] # it is a dataclass
            writer.writeheader()
            writer.writerows(trees)
        self.path(".json").write_text(json.dumps(trees, indent=1) + "\n", encoding="utf-8")
        page = self.path(".md")
        page.write_text(self.page(page.read_text(encoding="utf-8"), ordered), encoding="utf-8")

    def record(self, row: M) -> None:
        """Write a row in place of an earlier one of the same key."""
        others = [other for other in self.rows() if other.key != row.key]
        self.write([*others, row])

    def drop(self, is_old: Callable[[M], bool]) -> Sequence[M]:
        """Remove the rows that are old, and return them."""
        rows = self.rows()
        old = [row for row in rows if is_old(row)]
        if old:
            self.write(row for row in rows if row not in old)
        return old

    def page(self, text: str, rows: Iterable[M]) -> str:
        """Return the text of the page with its table written anew."""
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        lines = [_line(row.cells) for row in rows if row.cells is not None]
        return f"{before}{BEGIN}{self.head}{''.join(lines)}{END}{after}"


def _line(cells: tuple[object, ...]) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"
