"""Keys of a table that no cell depends on."""

from collections.abc import Iterator
from dataclasses import replace

from compiler.analysis.boxes import slice_domain, split_into_boxes
from compiler.analysis.parties import named_party
from compiler.analysis.problems import IdleColumn, Problem
from runtime.graph import nodes as graph


def idle_column(stack: graph.Graph) -> Iterator[Problem]:
    """Find keys that could be removed."""
    for table in stack.tables.values():
        for index, key in enumerate(table.keys):
            has_alternatives = len(table.keys) > 1 and len(slice_domain(table, index, stack.vocabulary)) > 1
            if has_alternatives and not _decides(table, index, stack.vocabulary):
                yield IdleColumn(named_party(table), key.name)


def _decides(table: graph.Table, key_index: int, vocabulary: graph.Vocabulary) -> bool:
    """Return whether two values of one key, the others being equal, have different cells."""
    seen: dict[tuple[object, ...], object] = {}
    for box in split_into_boxes(_with_key_last(table, key_index), vocabulary):
        cells = frozenset((row.kind, row.value) for row in (box.rows if table.hit == "collect" else box.rows[:1]))
        if seen.setdefault(box.slices[:-1], cells) != cells:
            return True
    return False


def _with_key_last(table: graph.Table, key_index: int) -> graph.Table:
    """Return the table with one key moved to the end, so that its boxes differ in that key last."""
    order = [*(other for other in range(len(table.keys)) if other != key_index), key_index]
    rows = tuple(replace(row, keys=tuple(row.keys[other] for other in order)) for row in table.rows)
    return replace(table, keys=tuple(table.keys[other] for other in order), rows=rows)
