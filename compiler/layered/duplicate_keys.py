"""Suggest keys of charts: for a duplicate key, the declared key that is absent and was probably meant.

The input is the problems of reading, and the layers read; the output is the same problems, completed. The possible keys
of a chart are declared in the layers, which the reader of one file does not know.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from compiler.source import nodes as source
from compiler.source.package import LayerSource
from compiler.source.problems import DuplicateKey

Found = TypeVar("Found")


def with_suggestions(problems: Iterable[Found], layers: Iterable[LayerSource]) -> Iterator[Found | DuplicateKey]:
    """Yield all problems in their order; those of duplicate keys in charts with a suggestion of what is missing."""
    known = list(layers)
    for problem in problems:
        if isinstance(problem, DuplicateKey):
            charts = (chart for layer in known for chart in layer.charts if chart.span.contains(problem.span))
            tables = (table for layer in known for table in layer.tables if table.span.contains(problem.span))
            of_counters = (_unprinted(chart, problem, known) for chart in charts)
            found = chain(of_counters, (_missing(problem, table, known) for table in tables))
            yield replace(problem, missing=next(found, ()))
        else:
            yield problem


def _statements(layers: list[LayerSource]) -> Iterator[source.Statement]:
    return chain.from_iterable(layer.statements() for layer in layers)


def _unprinted(chart: source.PieceChart, problem: DuplicateKey, layers: list[LayerSource]) -> tuple[str, ...]:
    """Return the factors of a kind for which its counters have no column, if the key is one of the columns."""
    columns = {word.text for word in chart.columns}
    if problem.span not in [word.span for word in chart.columns]:
        return ()
    kinds = (each for each in _statements(layers) if isinstance(each, source.Kind))
    printed = [part.name.text for kind in kinds if kind.name.text == chart.kind.text for part in kind.printed]
    # Counters need not have a side.
    return tuple(name for name in printed if name not in columns) or tuple({"side"} - columns)


def _missing(problem: DuplicateKey, table: source.Table, layers: list[LayerSource]) -> tuple[str, ...]:
    """Return the members of a key's type that occur in no row, if the duplicate is one of those."""
    for key in table.keys:
        accepted = [
            match for row in table.rows for word, matches in row.keys if word.text == key.name.text for match in matches
        ]
        if any(match.span in (problem.span, problem.first) for match in accepted):
            row_members = {match.text for match in accepted if isinstance(match, source.Word)}
            ranges = [match for match in accepted if isinstance(match, source.MatchRange)]
            return tuple(
                each
                for each in _members(key.type, layers)
                if each not in row_members
                and not any(each.isdigit() and part.low <= int(each) <= part.high for part in ranges)
            )
    return ()


def _members(written: source.Type, layers: list[LayerSource]) -> tuple[str, ...]:
    """Return the members of a type, as the layers declare it; empty for a type that is not enumerable."""
    match written:
        case source.RangeType(low=low, high=high):
            return tuple(map(str, range(low, high + 1)))
        case source.NameType(names=(name,)):
            found: list[str] = []
            for statement in _statements(layers):
                match statement:
                    case source.Enumeration() | source.Scale() if statement.name.text == name.text:
                        found += [item.name.text for item in statement.items]
                    case source.Domain() if statement.name.text == name.text:
                        found += _members(statement.type, layers)
            return tuple(found)
        case _:
            return ()
