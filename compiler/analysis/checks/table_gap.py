"""Keys that no row of a table answers, over the declared domains of its keys.

All holes of a table are one finding: the first box is shown, and how much is missing in all.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from compiler.analysis.boxes import Box, in_words, row_accepts_value, slice_domain, split_into_boxes
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem, TableGap
from runtime.graph import nodes as graph


def table_gap(stack: graph.Graph) -> Iterator[Problem]:
    """Find tables with holes; a `collect` table may have them."""
    for table in stack.tables.values():
        if table.hit == "collect":
            continue
        found = list(split_into_boxes(table, stack.vocabulary))
        holes = [box for box in found if not box.rows]
        if holes:
            count, of = (sum(box.count() for box in these) for these in (holes, found))
            party = Party(table.name, "", table.cites, table.origin)
            whole, values = _whole(table, count, of, stack.vocabulary)
            when = (f"{whole} = {'|'.join(values)}",) if whole else in_words(table, holes[0], stack.vocabulary)
            lists = {key.name: key.type.name for key in table.keys if isinstance(key.type, graph.Enum | graph.Scale)}
            list_, added = lists.get(whole, ""), _added(table, holes[0])
            near = _near(table, holes[0])
            yield TableGap(party, when, count, of, whole, values, list_, added, near=near)


def _whole(table: graph.Table, missing: int, of: int, vocabulary: graph.Vocabulary) -> tuple[str, tuple[str, ...]]:
    """Find the key of which some values stand in no row, if that makes up all that is missing."""
    for place, key in enumerate(table.keys):
        choices = slice_domain(table, place, vocabulary)
        gone = [each for each in choices if not any(row_accepts_value(row, place, each.sample) for row in table.rows)]
        if gone and missing * sum(each.count for each in choices) == of * sum(each.count for each in gone):
            return key.name, tuple(each.text for each in gone)
    return "", ()


def _added(table: graph.Table, hole: Box) -> Party | None:
    """Find a value that stands in rows of another layer only: the layer that added it left the hole."""
    for place, choices in enumerate(hole.slices):
        for each in choices:
            rows = [
                row for row in table.rows if row.keys[place] is not None and row_accepts_value(row, place, each.sample)
            ]
            if rows and all(row.origin.layer != table.origin.layer for row in rows):
                return Party(each.text, "", rows[0].cites, rows[0].origin)
    return None


def _near(table: graph.Table, hole: Box) -> tuple[Party, ...]:
    """Find the rows that end just below a hole and begin just above it; they say which numbers they leave out."""
    for place, key in enumerate(table.keys):
        if isinstance(key.type, graph.Number):
            rows = [row for row in table.rows if _answers_beside(row, place, hole)]
            for each in hole.slices[place]:
                first = Fraction(each.sample)
                below = [row for row in rows if _has_end(row, place, first - 1, "high")]
                above = [row for row in rows if _has_end(row, place, first + each.count, "low")]
                if below or above:
                    near = dict.fromkeys((*below[:1], *above[:1]))
                    return tuple(Party(table.name, each.text, row.cites, row.origin) for row in near)
    return ()


def _answers_beside(row: graph.TableRow, place: int, hole: Box) -> bool:
    """Return whether a row answers a hole in all keys but one."""
    others = (at for at in range(len(hole.slices)) if at != place)
    return all(any(row_accepts_value(row, at, each.sample) for each in hole.slices[at]) for at in others)


def _has_end(row: graph.TableRow, place: int, number: Fraction, end: Literal["low", "high"]) -> bool:
    """Return whether a run of numbers in a row begins or ends with this one."""
    return any(getattr(match, end) == number for match in row.keys[place] or ())
