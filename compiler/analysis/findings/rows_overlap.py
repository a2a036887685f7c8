"""Pairs of rows of a table that match the same keys.

A `unique` table must not have any, an `any` table only with equal cells; `first` and `collect` tables depend on them.
Each pair is reported once, with the first box that both match. Of many rows that match one box, only those are reported
that overlap the first.
"""

import re
from collections.abc import Iterator
from itertools import combinations, repeat

from compiler.analysis.boxes import box_texts, split_into_boxes
from compiler.analysis.checks import check_of_stack
from compiler.analysis.condition_texts import condition_text
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, Witness
from runtime.graph import nodes as graph


@finding("R0506", "rows-overlap")
class RowsOverlap(Finding):
    """Two rows of a table match the same keys; `has_different_cells`: their cells differ."""

    table: str
    row: Party
    first: Party
    when: tuple[str, ...]
    has_different_cells: bool

    def sentence(self) -> Sentence:
        if self.row.label == self.first.label and self.row.origin.layer != self.first.origin.layer:
            keys = ", ".join(
                f"{key}: {_values(value)}" for key, _, value in (part.partition(" = ") for part in self.when)
            )
            change = (
                f"set: [{{{keys}, expect: {_cell_without_measure(self.first.says)}, "
                f"now: {_cell_without_measure(self.row.says)}}}]"
            )
            message = f"`{self.row.label}` already exists" + (" with another cell" if self.has_different_cells else "")
            labels = (party_label(self.row), party_label(self.first))
            advice = f"change the cell with `{change}`" if self.has_different_cells else "delete this row"
            return Sentence(message, labels, advice, root=f"{self.table} {self.row.origin.file}")
        cell_phrase = "different cells" if self.has_different_cells else "the same cell"
        return Sentence(
            f"two rows of `{self.table}` match the same keys and have {cell_phrase}",
            (party_label(self.row), party_label(self.first)),
            "narrow the keys of one row" if self.has_different_cells else "delete one row, or write `hit: any`",
            Witness(condition_text(self.when)) if self.when else None,
        )


# The number of rows in one box up to which all pairs are compared.
_MOST_COMPARED_ROWS = 40


@check_of_stack
def rows_overlap(stack: graph.Graph) -> Iterator[RowsOverlap]:
    """Find overlapping rows."""
    writer = ExpressionWriter(stack.vocabulary)
    for table in stack.tables.values():
        seen: set[tuple[int, int]] = set()
        for box in split_into_boxes(table, stack.vocabulary) if table.hit in {"unique", "any"} else ():
            many = len(box.rows) > _MOST_COMPARED_ROWS
            for first, row in zip(repeat(box.rows[0]), box.rows[1:]) if many else combinations(box.rows, 2):
                differ = (first.kind, first.value) != (row.kind, row.value)
                pair = (id(first), id(row))
                if pair not in seen and (differ or table.hit == "unique"):
                    seen.add(pair)
                    when = box_texts(table, box, stack.vocabulary)
                    yield RowsOverlap(
                        table.name, writer.row_party(table, row), writer.row_party(table, first), when, differ
                    )


def _values(text: str) -> str:
    """Format the values of a key as a chart has them."""
    return f"[{text.replace('|', ', ')}]" if "|" in text else text


def _cell_without_measure(cell: str) -> str:
    """Return a cell without the measure of its number: the chart has it."""
    return re.sub(r"^(-?\d+(?:/\d+)?) \w+$", r"\1", cell)
