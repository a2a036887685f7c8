"""Keys that no row of a table matches, over the declared domains of its keys.

All gaps of a table are one finding: with the first box, and the number of missing combinations.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from compiler.analysis.boxes import Box, box_texts, row_accepts_value, slice_domain, split_into_boxes
from compiler.analysis.parties import Party, named_party
from compiler.analysis.problems import Problem, TableGap
from runtime.graph import nodes as graph


def table_gap(stack: graph.Graph) -> Iterator[Problem]:
    """Find tables with gaps; a `collect` table may have them."""
    for table in stack.tables.values():
        if table.hit == "collect":
            continue
        found = list(split_into_boxes(table, stack.vocabulary))
        holes = [box for box in found if not box.rows]
        if holes:
            count, total = (sum(box.count_keys() for box in these) for these in (holes, found))
            party = named_party(table)
            gap_key, values = _gap_key(table, count, total, stack.vocabulary)
            when = (f"{gap_key} = {'|'.join(values)}",) if gap_key else box_texts(table, holes[0], stack.vocabulary)
            lists = {key.name: key.type.name for key in table.keys if isinstance(key.type, graph.Enum | graph.Scale)}
            list_, added = lists.get(gap_key, ""), _added(table, holes[0])
            adjacent_rows = _adjacent_rows(table, holes[0])
            if added and not gap_key:
                when_of_holes = (box_texts(table, hole, stack.vocabulary) for hole in holes)
                values = tuple(
                    ", ".join(each for each in texts if not _is_of(each, added))
                    for texts in when_of_holes
                    if any(_is_of(each, added) for each in texts)
                )
            yield TableGap(party, when, count, total, gap_key, values, list_, added, adjacent_rows=adjacent_rows)


def _is_of(text: str, added: Party) -> bool:
    """Return whether the text of a slice is that of the added value alone."""
    return text.endswith(f" = {added.label}")


def _gap_key(table: graph.Table, missing: int, total: int, vocabulary: graph.Vocabulary) -> tuple[str, tuple[str, ...]]:
    """Return the key of which some values match no row, and those values, if that is the whole gap."""
    for index, key in enumerate(table.keys):
        choices = slice_domain(table, index, vocabulary)
        missing_choices = [
            each for each in choices if not any(row_accepts_value(row, index, each.sample) for row in table.rows)
        ]
        if missing_choices and missing * sum(each.count for each in choices) == total * sum(
            each.count for each in missing_choices
        ):
            return key.name, tuple(each.text for each in missing_choices)
    return "", ()


def _added(table: graph.Table, hole: Box) -> Party | None:
    """Return a value that only rows of another layer match, as a party: that layer left the gap.

    None if there is none.
    """
    for index, choices in enumerate(hole.slices):
        for each in choices:
            rows = [
                row for row in table.rows if row.keys[index] is not None and row_accepts_value(row, index, each.sample)
            ]
            if rows and all(row.origin.layer != table.origin.layer for row in rows):
                return Party(each.text, "", rows[0].cites, rows[0].origin)
    return None


def _adjacent_rows(table: graph.Table, hole: Box) -> tuple[Party, ...]:
    """Return the rows whose ranges end just below a gap and start just above it, with the numbers between them."""
    for index, key in enumerate(table.keys):
        if isinstance(key.type, graph.Number):
            rows = [row for row in table.rows if _answers_beside(row, index, hole)]
            for each in hole.slices[index]:
                first = Fraction(each.sample)
                below = [row for row in rows if _has_end(row, index, first - 1, "high")]
                above = [row for row in rows if _has_end(row, index, first + each.count, "low")]
                if below or above:
                    adjacent_rows = dict.fromkeys((*below[:1], *above[:1]))
                    return tuple(Party(table.name, each.text, row.cites, row.origin) for row in adjacent_rows)
    return ()


def _answers_beside(row: graph.TableRow, key_index: int, hole: Box) -> bool:
    """Return whether a row matches a box in all keys but one."""
    others = (index for index in range(len(hole.slices)) if index != key_index)
    return all(any(row_accepts_value(row, index, each.sample) for each in hole.slices[index]) for index in others)


def _has_end(row: graph.TableRow, key_index: int, number: Fraction, end: Literal["low", "high"]) -> bool:
    """Return whether a range of a row starts or ends at this number."""
    return any(getattr(match, end) == number for match in row.keys[key_index] or ())
