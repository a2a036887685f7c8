"""Fault localization for charts: two cells, columns or rows that were exchanged, as failing examples show.

In: a graph and the runs of its examples. Out: the exchange and the failures it explains, or None. Each candidate is
verified: a copy of the graph with the two exchanged back runs the examples again. Both cells must be read by examples
that fail before and pass after (for columns, cells in at least two rows), and no passing example may fail.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from runtime.examples.row_result import Run
from runtime.examples.run import run_row
from runtime.graph import nodes as graph

# Preparing a copy of the graph for each candidate takes longer than running an example, so their number is bounded.
MOST = 60


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two exchanged cells of a table, the failure that led to them, and all failures that the exchange explains."""

    table: graph.Table
    one: graph.TableRow
    other: graph.TableRow
    shown: Run
    repaired: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class ExchangedValues:
    """Two values of a key that are exchanged throughout a table, and the failures that exchanging them back removes."""

    table: graph.Table
    key: int
    one: graph.Match
    other: graph.Match
    shown: Run
    repaired: tuple[Run, ...]


def exchanged_values(rules: graph.Graph, runs: Sequence[Run]) -> ExchangedValues | None:
    """Find whole columns or rows that were exchanged; examples on situation cards are left out."""
    here = [run for run in runs if not run.example.card]
    for tried, (shown, table, key, one, other) in enumerate(_values(rules, _failed(here))):
        if tried == MOST:
            break
        changed = _with_values(table, key, one, other)
        turned = replace(rules, tables={**rules.tables, table.name: changed})
        moved = {row for row, now in zip(table.rows, changed.rows, strict=True) if row.keys != now.keys}
        mended = _repaired_runs(turned, shown, here, moved)
        showing = {row.keys[:key] + row.keys[key + 1 :] for run in mended for row in run.rows & moved}
        if len(showing) > 1:
            return ExchangedValues(table, key, one, other, min(mended, key=_rank), mended)
    return None


def _failed(runs: Sequence[Run]) -> list[Run]:
    """Return the failing runs that read charts, fewest cells first."""
    return sorted((run for run in runs if run.failures and run.rows), key=lambda run: len(run.rows))


def _values(
    rules: graph.Graph, failed: Sequence[Run]
) -> Iterator[tuple[Run, graph.Table, int, graph.Match, graph.Match]]:
    """Yield the key values that a failing example reads, each with the other values of that key whose cell differs."""
    seen: set[tuple[str, int, frozenset[graph.Match]]] = set()
    for run in failed:
        for table in rules.tables.values():
            for row in (row for row in table.rows if row in run.rows):
                for key, matches in enumerate(row.keys):
                    if matches is None or len(matches) != 1:
                        continue
                    for other in _other_matches(table, row, key):
                        pair = table.name, key, frozenset((matches[0], other))
                        if pair not in seen:
                            seen.add(pair)
                            yield run, table, key, matches[0], other


def _other_matches(table: graph.Table, row: graph.TableRow, key: int) -> Iterator[graph.Match]:
    """Yield the other values of a key whose cell differs, all other keys being equal."""
    rest = row.keys[:key] + row.keys[key + 1 :]
    for each in table.rows:
        matches = each.keys[key]
        beside = matches is not None and len(matches) == 1 and each.keys[:key] + each.keys[key + 1 :] == rest
        if matches and beside and (each.kind, each.value) != (row.kind, row.value):
            yield matches[0]


def _with_values(table: graph.Table, key: int, one: graph.Match, other: graph.Match) -> graph.Table:
    """Return the table with two values of a key exchanged."""
    put: dict[tuple[graph.Match, ...] | None, tuple[graph.Match, ...]] = {(one,): (other,), (other,): (one,)}
    rows = (
        replace(row, keys=(*row.keys[:key], put.get(row.keys[key], row.keys[key]), *row.keys[key + 1 :]))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _repaired_runs(
    turned: graph.Graph, shown: Run, runs: Sequence[Run], moved: Collection[graph.TableRow]
) -> tuple[Run, ...]:
    """Return the failing runs that pass under the changed graph; () if `shown` still fails or a passing run fails."""
    if not run_row(turned, shown.example, shown.row).has_passed:
        return ()
    concerned = [run for run in runs if not run.rows.isdisjoint(moved)]
    passing = [run for run in concerned if run_row(turned, run.example, run.row).has_passed]
    mended = tuple(run for run in passing if run.failures)
    spoiled = len(passing) < len(concerned) - sum(not run.has_passed for run in concerned) + len(mended)
    return () if spoiled else mended


def exchanged_cells(rules: graph.Graph, runs: Sequence[Run]) -> Exchange | None:
    """Find two exchanged cells; examples on situation cards run on other graphs and are left out."""
    here = [run for run in runs if not run.example.card]
    for tried, (shown, table, one, other) in enumerate(_pairs(rules, _failed(here))):
        if tried == MOST:
            break
        mended = _repaired_runs(_exchanged(rules, table, one, other), shown, here, (one, other))
        if mended and all(any(row in run.rows for run in mended) for row in (one, other)):
            return Exchange(table, one, other, min(mended, key=_rank), mended)
    return None


def _rank(run: Run) -> tuple[bool, int, int]:
    """Sort key: runs with an explanation first, then those that read few cells and depend on few rules."""
    return not run.failures[0].explanation, len(run.rows), len(run.rules)


def _pairs(rules: graph.Graph, failed: list[Run]) -> Iterator[tuple[Run, graph.Table, graph.TableRow, graph.TableRow]]:
    """Yield pairs of differing cells that failing examples read, those of examples with few reads first."""
    read = {row for run in failed for row in run.rows}
    seen: set[frozenset[graph.Origin]] = set()
    for run in failed:
        for table in rules.tables.values():
            rows = [row for row in table.rows if row in read]
            for one in rows if len(rows) > 1 else ():
                for other in rows if one in run.rows else ():
                    pair = frozenset((one.origin, other.origin))
                    if (one.kind, one.value) != (other.kind, other.value) and pair not in seen:
                        seen.add(pair)
                        yield run, table, one, other


def _exchanged(rules: graph.Graph, table: graph.Table, one: graph.TableRow, other: graph.TableRow) -> graph.Graph:
    """Return the graph with two cells exchanged."""
    put = {one: replace(one, kind=other.kind, value=other.value), other: replace(other, kind=one.kind, value=one.value)}
    rows = tuple(put.get(row, row) for row in table.rows)
    return replace(rules, tables={**rules.tables, table.name: replace(table, rows=rows)})
