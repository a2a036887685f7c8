"""Charts as functions from plain keys to a cell, for proofs that enumerate their keys."""

from collections.abc import Callable
from fractions import Fraction

from compiler.analysis.formula import PlainValue
from runtime.graph import nodes as graph
from runtime.graph.literals import literal_value

Cells = Callable[..., tuple[str, PlainValue] | None]


def plain_value(expr: graph.Expr | None) -> PlainValue | None:
    """Return the value of a literal; None for any other expression."""
    if isinstance(expr, graph.LiteralExpr):
        return literal_value(expr)
    match expr:
        case graph.Op("neg", (graph.Num(value),)):
            return -value
        case _:
            return None


def chart_function(table: graph.Table) -> Cells:
    """Return a chart as a memoized function of its keys; a cell with a kind alone has that kind as its value."""
    found: dict[tuple[PlainValue, ...], tuple[str, PlainValue] | None] = {}

    def cell(*keys: PlainValue) -> tuple[str, PlainValue] | None:
        if keys not in found:
            row = next((row for row in table.rows if _row_answers(row, keys)), None)
            found[keys] = None if row is None else (row.kind, content_of(row))
        return found[keys]

    return cell


def content_of(row: graph.TableRow) -> PlainValue:
    """Return the value of a cell; its kind, where it is a mere word."""
    return row.kind if row.value is None else literal_value(row.value)


def _row_answers(row: graph.TableRow, keys: tuple[PlainValue, ...]) -> bool:
    """Return whether a row matches these keys."""
    return all(
        matches is None or any(matches_key(key, match) for match in matches)
        for key, matches in zip(keys, row.keys, strict=True)
    )


def matches_key(key: PlainValue, match: graph.Match) -> bool:
    """Return whether a key lies in a match; words and truth values match only themselves."""
    if isinstance(match.low, str) or isinstance(key, str) or isinstance(match.high, str):
        return key == match.low
    return match.low <= key <= match.high


def boundary_numbers(table: graph.Table, key_index: int) -> set[Fraction]:
    """Collect the ends of the numeric ranges that the rows of a table accept for a key."""
    ends = (end for row in table.rows for match in row.keys[key_index] or () for end in (match.low, match.high))
    return {Fraction(end) for end in ends if not isinstance(end, str)}
