"""Chart lookup: matching rows, combined by the hit policy.

In: a table and plain key values. Out: a `CellContent`, its kind and content, and the rows it came from. Policies have
their DMN names (docs/language.md, 7): `unique` allows one matching row, `any` requires equal contents, `first` takes
the first row, `collect` combines numbers or unites sets.
"""

from collections.abc import Callable
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import AbsentError, ClashError, GapError
from runtime.graph.literals import literal_value
from runtime.state.record import Value

JOIN: dict[str, Callable[[list[Value]], Value]] = {"sum": sum, "min": min, "max": max, "set": tuple, "": tuple}


class CellContent(NamedTuple):
    """The content of a cell: its kind ("" in charts of one kind) and its value (None for a kind without a value)."""

    kind: str
    value: Value

    def of(self, kind: str) -> Value:
        """Return the value of a cell of a kind; raises `AbsentError` if it is of another (as mutated cells may be)."""
        if self.kind not in ("", kind):
            raise AbsentError(kind, ())
        return self.value


# A cell, with the rows that it was read from.
FoundCell = tuple[CellContent, list[graph.TableRow]]


def row_matches(row: graph.TableRow, keys: tuple[Value, ...]) -> bool:
    """Return whether a row matches these keys."""
    return all(
        accepted is None or any(interval.low <= key <= interval.high for interval in accepted)
        for accepted, key in zip(row.keys, keys, strict=True)
    )


def matching_rows(table: graph.Table, keys: tuple[Value, ...]) -> list[graph.TableRow]:
    """Return the rows that a lookup uses, by the hit policy. Raises `GapError` or `ClashError`."""
    rows = [row for row in table.rows if row_matches(row, keys)]
    if not rows and table.hit != "collect":
        raise GapError(table.name, keys)
    if table.hit == "unique" and len(rows) > 1:
        raise ClashError(table.name, keys)
    return rows[:1] if table.hit in ("unique", "first") else rows


def look_up(table: graph.Table, keys: tuple[Value, ...]) -> FoundCell:
    """Read a cell."""
    rows = matching_rows(table, keys)
    cells = [CellContent(row.kind, None if row.value is None else literal_value(row.value)) for row in rows]
    if table.hit == "collect":
        if not cells and table.operator in ("min", "max"):
            raise GapError(table.name, keys)
        return CellContent("", JOIN[table.operator]([cell.value for cell in cells])), rows
    if any(cell != cells[0] for cell in cells):
        raise ClashError(table.name, keys)
    return cells[0], rows
