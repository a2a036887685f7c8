"""Pairs of rows of a table that match the same keys.

A `unique` table must not have any, an `any` table only with equal cells; `first` and `collect` tables depend on them.
Each pair is reported once, with the first box that both match. Of many rows that match one box, only those are reported
that overlap the first.
"""

from collections.abc import Iterator
from itertools import combinations, repeat

from compiler.analysis.boxes import box_texts, split_into_boxes
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.problems import Problem, RowsOverlap
from runtime.graph import nodes as graph

# The number of rows in one box up to which all pairs are compared.
MOST_COMPARED_ROWS = 40


def rows_overlap(stack: graph.Graph) -> Iterator[Problem]:
    """Find overlapping rows."""
    writer = ExpressionWriter(stack.vocabulary)
    for table in stack.tables.values():
        seen: set[tuple[int, int]] = set()
        for box in split_into_boxes(table, stack.vocabulary) if table.hit in {"unique", "any"} else ():
            many = len(box.rows) > MOST_COMPARED_ROWS
            for first, row in zip(repeat(box.rows[0]), box.rows[1:]) if many else combinations(box.rows, 2):
                differ = (first.kind, first.value) != (row.kind, row.value)
                pair = (id(first), id(row))
                if pair not in seen and (differ or table.hit == "unique"):
                    seen.add(pair)
                    when = box_texts(table, box, stack.vocabulary)
                    yield RowsOverlap(
                        table.name, writer.row_party(table, row), writer.row_party(table, first), when, differ
                    )
