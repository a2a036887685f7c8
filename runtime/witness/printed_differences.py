"""Compare what two stacks print: counters and charts.

The input is two graphs; the output is counters and cells of charts in both that differ, and the names of those in one
stack only.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.added_factors import added_names
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.rows import row_label
from runtime.witness.position_file import yaml_value


@frozen_dataclass
class CounterDifference:
    """A counter that is printed differently, one text for each property; or that only one stack has."""

    counter: str
    shows: tuple[str, ...]
    only: str = ""


def counter_differences(a: graph.Graph, b: graph.Graph) -> Iterator[CounterDifference]:
    """Compare counters; for those in one stack only, return their names."""
    for name in sorted(a.counters.keys() & b.counters.keys()):
        shows = tuple(_property_texts(a.counters[name], b.counters[name], a, b))
        if shows:
            yield CounterDifference(name, shows)
    for name in sorted(a.counters.keys() ^ b.counters.keys()):
        yield CounterDifference(name, (), "a" if name in a.counters else "b")


def _property_texts(first: graph.Counter, second: graph.Counter, a: graph.Graph, rules: graph.Graph) -> Iterator[str]:
    first_printed, second_printed = dict(first.printed), dict(second.printed)
    added_factors = {*first.first} & {*second.first} | added_names(a, first.kind) ^ added_names(rules, second.kind)
    for name in dict.fromkeys((*first_printed, *second_printed)):
        if first_printed.get(name) != second_printed.get(name) and name not in added_factors:
            second_value, first_value = (_value_text(each.get(name), rules) for each in (second_printed, first_printed))
            yield f"{words.readable_name(name)} {second_value} instead of {first_value}"
    if first.owner != second.owner:
        yield f"{second.owner or 'any side'} instead of {first.owner or 'any side'}"
    for trait in sorted({*first.traits} ^ {*second.traits}):
        yield f"{'' if trait in second.traits else 'not '}{words.readable_name(trait)}"


def _value_text(value: graph.Expr | None, rules: graph.Graph) -> str:
    match value:
        case None:
            return "nothing"
        case graph.Num(number, measure):
            return words.amount(number, measure, rules.vocabulary)
        case graph.Member(enum, name):
            return words.member(enum, name, rules.vocabulary)
        case _:
            return yaml_value(value)


@frozen_dataclass
class ChartDifference:
    """A chart in both stacks whose cells differ: each with both contents, "" if absent.

    `keys` describes the keys of each, if they differ.
    """

    chart: str
    cells: tuple[tuple[str, str, str], ...]
    only: str = ""
    keys: tuple[str, str] = ("", "")


def chart_differences(a: graph.Graph, b: graph.Graph) -> Iterator[ChartDifference]:
    """Compare charts cell by cell; for a chart in one stack only, return its name."""
    for name in sorted({*a.tables, *b.tables}):
        if name not in a.tables or name not in b.tables:
            yield ChartDifference(name, (), "a" if name in a.tables else "b")
            continue
        first_table, second_table = a.tables[name], b.tables[name]
        if first_table.keys != second_table.keys:
            yield ChartDifference(name, (), keys=(_keys(first_table), _keys(second_table)))
            continue
        first_cells, second_cells = _cells(a, first_table), _cells(b, second_table)
        cells = tuple(
            (cell, first_cells.get(cell, ""), second_cells.get(cell, ""))
            for cell in dict.fromkeys((*first_cells, *second_cells))
            if first_cells.get(cell) != second_cells.get(cell)
        )
        if cells:
            yield ChartDifference(name, cells)


def _cells(rules: graph.Graph, table: graph.Table) -> dict[str, str]:
    """Return the content of each cell."""
    return {row_label(table, row, rules.vocabulary): _content(row, rules) for row in table.rows}


def _content(row: graph.TableRow, rules: graph.Graph) -> str:
    kind = words.readable_name(row.kind)
    return " ".join(part for part in (kind, _value_text(row.value, rules) if row.value is not None else "") if part)


def _keys(table: graph.Table) -> str:
    return words.list_text([words.readable_name(key.name) for key in table.keys])
