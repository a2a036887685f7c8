"""Charts as functions from plain keys to a cell, for proofs that enumerate their keys."""

from collections.abc import Callable
from fractions import Fraction

from compiler.analysis.formula import Plain
from runtime.graph import nodes as graph

Cells = Callable[..., tuple[str, Plain] | None]


def plain_value(expr: graph.Expr | None) -> Plain | None:
    """Return the value of a literal; None for any other expression."""
    match expr:
        case graph.Num(value) | graph.Truth(value):
            return value
        case graph.Member(_, name):
            return name
        case graph.Place(_, _, index):
            return index
        case graph.Op("neg", (graph.Num(value),)):
            return -value
        case _:
            return None


def is_plain(table: graph.Table) -> bool:
    """Return whether every cell is a kind or a plain value, and a single row answers each lookup."""
    return table.hit != "collect" and all(row.value is None or plain_value(row.value) is not None for row in table.rows)


def cells_of(table: graph.Table) -> Cells:
    """Return a chart as a memoized function of its keys; a cell with a kind alone has that kind as its value."""
    found: dict[tuple[Plain, ...], tuple[str, Plain] | None] = {}

    def cell(*keys: Plain) -> tuple[str, Plain] | None:
        if keys not in found:
            row = next((row for row in table.rows if row_answers(row, keys)), None)
            value = None if row is None else plain_value(row.value)
            found[keys] = None if row is None else (row.kind, row.kind if value is None else value)
        return found[keys]

    return cell


def row_answers(row: graph.TableRow, keys: tuple[Plain, ...]) -> bool:
    """Return whether a row matches these keys."""
    return all(
        matches is None or any(matches_key(key, match) for match in matches)
        for key, matches in zip(keys, row.keys, strict=True)
    )


def matches_key(key: Plain, match: graph.Match) -> bool:
    """Return whether a key lies in a match; words and truth values match only themselves."""
    if isinstance(match.low, str) or isinstance(key, str) or isinstance(match.high, str):
        return key == match.low
    return match.low <= key <= match.high


def boundary_numbers(table: graph.Table, place: int) -> set[Fraction]:
    """Collect the ends of the numeric ranges that the rows of a table accept for a key."""
    ends = (end for row in table.rows for match in row.keys[place] or () for end in (match.low, match.high))
    return {Fraction(end) for end in ends if not isinstance(end, str)}
