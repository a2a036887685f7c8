"""Compare what two stacks print: counters and charts.

The input is two graphs; the output is counters and cells of charts in both that differ, and the names of those in one
stack only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.added_factors import added_names
from runtime.graph.rows import row_label
from runtime.witness.position_file import value_text

# A chart with more single keys is compared line by line.
MOST_SPREAD = 2_000


@dataclass(frozen=True, slots=True)
class CounterDifference:
    """A counter that is printed differently, one text for each property; or that only one stack has."""

    counter: str
    shows: tuple[str, ...]
    only: str = ""


def counter_differences(a: graph.Graph, b: graph.Graph) -> Iterator[CounterDifference]:
    """Compare counters; for those in one stack only, return their names."""
    for name in sorted(a.counters.keys() & b.counters.keys()):
        shows = tuple(_shows(a.counters[name], b.counters[name], a, b))
        if shows:
            yield CounterDifference(name, shows)
    for name in sorted(a.counters.keys() ^ b.counters.keys()):
        yield CounterDifference(name, (), "a" if name in a.counters else "b")


def _shows(here: graph.Counter, there: graph.Counter, a: graph.Graph, rules: graph.Graph) -> Iterator[str]:
    mine, theirs = dict(here.printed), dict(there.printed)
    told = {*here.first} & {*there.first} | added_names(a, here.kind) ^ added_names(rules, there.kind)
    for name in dict.fromkeys((*mine, *theirs)):
        if mine.get(name) != theirs.get(name) and name not in told:
            there_value, here_value = (_value_text(each.get(name), rules) for each in (theirs, mine))
            yield f"{words.readable_name(name)} {there_value} instead of {here_value}"
    if here.owner != there.owner:
        yield f"{there.owner or 'any side'} instead of {here.owner or 'any side'}"
    for trait in sorted({*here.traits} ^ {*there.traits}):
        yield f"{'' if trait in there.traits else 'not '}{words.readable_name(trait)}"


def _value_text(value: graph.Expr | None, rules: graph.Graph) -> str:
    match value:
        case None:
            return "nothing"
        case graph.Num(number, measure):
            return words.amount(number, measure, rules.vocabulary)
        case graph.Member(enum, name):
            return words.member(enum, name, rules.vocabulary)
        case _:
            return value_text(value)


@dataclass(frozen=True, slots=True)
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
        one, other = a.tables[name], b.tables[name]
        if one.keys != other.keys:
            yield ChartDifference(name, (), keys=(_keys(one), _keys(other)))
            continue
        here, there = _cells(a, one), _cells(b, other)
        if here.keys() != there.keys() and (spread := (_spread(a, one), _spread(b, other))) and all(spread):
            here, there = spread
        cells = tuple(
            (cell, here.get(cell, ""), there.get(cell, ""))
            for cell in dict.fromkeys((*here, *there))
            if here.get(cell) != there.get(cell)
        )
        if cells:
            yield ChartDifference(name, cells)


def _cells(rules: graph.Graph, table: graph.Table) -> dict[str, str]:
    """Return the content of each cell."""
    return {row_label(table, row, rules.vocabulary): _content(row, rules) for row in table.rows}


def _spread(rules: graph.Graph, table: graph.Table) -> dict[str, str]:
    """Return what stands for each single key, lists and ranges of whole numbers taken apart; nothing if too much.

    Two charts whose lines are divided otherwise can be held against each other so.
    """
    found: dict[str, list[str]] = {}
    if table.hit == "first":
        return {}
    for row in table.rows:
        singles = [None if matches is None else _singles(matches) for matches in row.keys]
        for keys in product(*([None] if each is None else [(one,) for one in each] for each in singles)):
            label = row_label(table, replace(row, keys=keys), rules.vocabulary)
            found.setdefault(label, []).append(_content(row, rules))
            if len(found) > MOST_SPREAD:
                return {}
    return {label: ", ".join(contents) for label, contents in found.items()}


def _singles(matches: tuple[graph.Match, ...]) -> list[graph.Match]:
    """Expand ranges of integers."""
    singles: list[graph.Match] = []
    for each in matches:
        low, high = each.low, each.high
        if type(low) is int and type(high) is int:
            singles += (graph.Match(number, number) for number in range(low, min(high, low + MOST_SPREAD) + 1))
        else:
            singles.append(each)
    return singles


def _content(row: graph.TableRow, rules: graph.Graph) -> str:
    kind = words.readable_name(row.kind)
    return " ".join(part for part in (kind, _value_text(row.value, rules) if row.value is not None else "") if part)


def _keys(table: graph.Table) -> str:
    return words.list_text([words.readable_name(key.name) for key in table.keys])
