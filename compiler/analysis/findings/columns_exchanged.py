"""Columns of a chart in each other's place.

Charts are monotonic: along odds, ranges or points their numbers rise or fall, and equal results are adjacent. Where
several lines of a chart are out of order, and an exchange of two values of one key sorts all of them, their columns (or
the two values in the head of the chart) were exchanged. Where a single line is out of order, two adjacent cells of it
were. It is reported only where exactly one exchange sorts everything.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from operator import itemgetter
from typing import NamedTuple

from compiler.analysis.boxes import row_accepts_value, slice_domain, split_into_boxes
from compiler.analysis.charts import content_of
from compiler.analysis.checks import check_of_stack
from compiler.analysis.formula import PlainValue
from compiler.analysis.parties import Party, named_party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, backquoted, origin_label
from runtime.graph import nodes as graph


@finding("R0576", "columns-exchanged", WARNING)
class ColumnsExchanged(Finding):
    """An exchange of `first` and `second`, two values of `key`, would make all lines of a chart monotonic.

    `cells` are the positions of the first cells of the two; of two cells of one `line`, those of the cells.
    """

    table: Party
    key: str
    first: str
    second: str
    cells: tuple[graph.Origin, ...]
    line: str = ""

    def sentence(self) -> Sentence:
        if self.line:
            message = f"the cells `{self.first}` and `{self.second}` for `{self.line}` of `{self.table.label}`"
        else:
            message = f"the values `{self.first}` and `{self.second}` of the key `{self.key}` of `{self.table.label}`"
        cells = zip((self.first, self.second), self.cells, strict=False)
        labels = [origin_label(cell, backquoted(name)) for name, cell in cells]
        labels.insert(len(labels) if self.line else 0, party_label(self.table, "all its lines would then be in order"))
        advice = "exchange them, or leave the chart as it is if it is printed so"
        return Sentence(f"{message} seem to be exchanged", tuple(labels), advice, root=f"chart {self.table.label}")


# Fewer columns are in some order by chance; fewer lines out of order may be printed so.
_FEWEST_COLUMNS, _FEWEST_LINES = 4, 2
# The number of other lines in order from which a chart is taken to be monotonic.
_FEWEST_IN_ORDER = 5
# A chart with more columns or cells was not written as a grid by hand.
MOST_COLUMNS, _MOST_COMPARED_CELLS = 40, 5_000

Line = tuple[PlainValue, ...]
OtherCells = tuple[PlainValue, ...]  # Values of all keys of a chart but one.


class _OddLine(NamedTuple):
    """The values of the other keys of a line, and the first of two columns that seem exchanged in it."""

    line: OtherCells
    first: int


@check_of_stack
def columns_exchanged(stack: graph.Graph) -> Iterator[ColumnsExchanged]:
    """Find charts with exchanged columns or cells."""
    for table in stack.tables.values():
        cells_exchanged: list[tuple[int, ColumnsExchanged]] = []
        for key_index, key in enumerate(table.keys):
            if not isinstance(key.type, graph.Number | graph.Scale):
                continue  # Members of an enumeration have no order.
            heads = list(slice_domain(table, key_index, stack.vocabulary))
            if _FEWEST_COLUMNS <= len(heads) <= MOST_COLUMNS:
                lines = dict(_lines(table, key_index, stack.vocabulary))
                party = named_party(table)
                if found := _exchanged(tuple(lines.values())):
                    first, second = (heads[which] for which in found)
                    rows = (_first_row(table, key_index, head.sample) for head in (first, second))
                    cells = tuple(row.origin for row in rows if row is not None)
                    yield ColumnsExchanged(party, key.name, first.text, second.text, cells)
                elif odd_line := _exchanged_in_line(lines):
                    first, second = heads[odd_line.first], heads[odd_line.first + 1]
                    rows = (_row_at(table, key_index, odd_line.line, head.sample) for head in (first, second))
                    cells = tuple(row.origin for row in rows if row is not None)
                    line = ", ".join(_texts(table, key_index, odd_line.line, stack.vocabulary))
                    in_order = len(set(lines.values()))
                    cells_exchanged.append(
                        (in_order, ColumnsExchanged(party, key.name, first.text, second.text, cells, line))
                    )
        if cells_exchanged:
            # Both directions of a chart may explain it: the one with more lines in order is reported.
            yield max(cells_exchanged, key=itemgetter(0))[1]


def _first_row(table: graph.Table, key_index: int, sample: PlainValue) -> graph.TableRow | None:
    """Return the first row of a chart that matches a value of one key."""
    return next((row for row in table.rows if row_accepts_value(row, key_index, sample)), None)


def _texts(table: graph.Table, key_index: int, rest: OtherCells, vocabulary: graph.Vocabulary) -> Iterator[str]:
    """Yield the texts of the values of all keys but one."""
    others = [index for index in range(len(table.keys)) if index != key_index]
    for index, sample in zip(others, rest, strict=True):
        yield next(each.text for each in slice_domain(table, index, vocabulary) if each.sample == sample)


def _row_at(table: graph.Table, key_index: int, rest: OtherCells, sample: PlainValue) -> graph.TableRow | None:
    """Return the row of a chart that matches a value of one key, and those of the others."""
    keys = (*rest[:key_index], sample, *rest[key_index:])
    rows = (row for row in table.rows if all(row_accepts_value(row, index, each) for index, each in enumerate(keys)))
    return next(rows, None)


def _lines(table: graph.Table, key_index: int, vocabulary: graph.Vocabulary) -> Iterator[tuple[OtherCells, Line]]:
    """List the values of a chart along one key, by the values of the others; empty if one has no cell."""
    lines: dict[OtherCells, dict[PlainValue, PlainValue]] = {}
    cells = 0
    for box in split_into_boxes(table, vocabulary):
        row = box.rows[0] if box.rows else None
        value = None if row is None else content_of(row)
        others = [choices for index, choices in enumerate(box.slices) if index != key_index]
        cells += box.count_keys()
        if value is None or cells > _MOST_COMPARED_CELLS:
            return
        for rest in product(*([each.sample for each in slices] for slices in others)):
            lines.setdefault(rest, {}).update(dict.fromkeys([each.sample for each in box.slices[key_index]], value))
    order = [each.sample for each in slice_domain(table, key_index, vocabulary)]
    yield from (
        (rest, tuple(line[sample] for sample in order)) for rest, line in lines.items() if len(line) == len(order)
    )


def _exchanged(lines: tuple[Line, ...]) -> tuple[int, int] | None:
    """Return the only two columns whose exchange sorts all lines; else None."""
    unsorted_lines = [line for line in lines if not _in_order(line)]
    # Most exchanges sort a line of which one cell alone differs from the others, so it is no evidence.
    if sum(max(map(line.count, line)) < len(line) - 1 for line in unsorted_lines) < _FEWEST_LINES:
        return None
    found = [
        (first, second)
        for first, second in combinations(range(len(lines[0])), 2)
        if all(_in_order(_with_exchanged(line, first, second)) for line in unsorted_lines)
    ]
    found = [pair for pair in found if all(_in_order(_with_exchanged(line, *pair)) for line in lines)]
    return found[0] if len(found) == 1 else None


def _exchanged_in_line(lines: Mapping[OtherCells, Line]) -> _OddLine | None:
    """Return the only line out of order, if a unique exchange of neighbors sorts it; else None."""
    unsorted_keys = [rest for rest, line in lines.items() if not _in_order(line)]
    if len(unsorted_keys) != 1 or len(set(lines.values())) <= _FEWEST_IN_ORDER:
        return None
    [rest] = unsorted_keys
    known = {pair for each, line in lines.items() if each != rest for pair in combinations(line, 2)}
    exchange_indices = [
        first
        for first in range(len(lines[rest]) - 1)
        if _in_order(line := _with_exchanged(lines[rest], first, first + 1))
        and not any(
            (after, before) in known and (before, after) not in known for before, after in combinations(line, 2)
        )
    ]
    return _OddLine(rest, exchange_indices[0]) if len(exchange_indices) == 1 else None


def _with_exchanged(line: Line, first: int, second: int) -> Line:
    """Return the line with two of its values exchanged."""
    changed = list(line)
    changed[first], changed[second] = changed[second], changed[first]
    return tuple(changed)


def _in_order(line: Line) -> bool:
    """Return whether numbers are monotonic, or equal words adjacent."""
    numbers = [each for each in line if not isinstance(each, str | bool)]
    if len(numbers) == len(line):
        return sorted(numbers) in (numbers, numbers[::-1])
    runs = [each for index, each in enumerate(line) if index == 0 or line[index - 1] != each]
    return len(runs) == len(set(runs))
