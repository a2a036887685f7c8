"""Fault localization for charts: two cells, columns or rows that were exchanged, as failing examples show.

In: a graph and the runs of its examples. Out: the exchange and the failures it explains, or None. Each candidate is
verified: a copy of the graph with the two exchanged back runs the examples again. Both cells must be read by examples
that fail before and pass after (for columns, cells in at least two rows), and no passing example may fail.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from runtime.examples.row_result import Run
from runtime.examples.run import run_row
from runtime.graph import nodes as graph

# Preparing a copy of the graph for each candidate takes longer than running an example, so their number is bounded.
MOST_ATTEMPTS = 60


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two exchanged cells of a table, the failure that led to them, and all failures that the exchange explains."""

    table: graph.Table
    first_row: graph.TableRow
    second_row: graph.TableRow
    witness: Run
    repaired: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class ExchangedValues:
    """Two values of a key that are exchanged throughout a table, and the failures that exchanging them back removes."""

    table: graph.Table
    key: int
    first_match: graph.Match
    second_match: graph.Match
    witness: Run
    repaired: tuple[Run, ...]


def exchanged_values(rules: graph.Graph, runs: Sequence[Run]) -> ExchangedValues | None:
    """Find whole columns or rows that were exchanged; examples on situation cards are left out."""
    plain_runs = [run for run in runs if not run.example.card]
    for attempt, (failed_run, table, key, first, second) in enumerate(_values(rules, _failed(plain_runs))):
        if attempt == MOST_ATTEMPTS:
            break
        changed = _with_values(table, key, first, second)
        changed_graph = replace(rules, tables={**rules.tables, table.name: changed})
        moved_rows = {
            row for row, changed_row in zip(table.rows, changed.rows, strict=True) if row.keys != changed_row.keys
        }
        repaired_runs = _repaired_runs(changed_graph, failed_run, plain_runs, moved_rows)
        row_keys = {row.keys[:key] + row.keys[key + 1 :] for run in repaired_runs for row in run.rows & moved_rows}
        if len(row_keys) > 1:
            return ExchangedValues(table, key, first, second, min(repaired_runs, key=_rank), repaired_runs)
    return None


def _failed(runs: Sequence[Run]) -> list[Run]:
    """Return the failing runs that read charts, fewest cells first."""
    return sorted((run for run in runs if run.failures and run.rows), key=lambda run: len(run.rows))


def _values(
    rules: graph.Graph, failed: Sequence[Run]
) -> Iterator[tuple[Run, graph.Table, int, graph.Match, graph.Match]]:
    """Yield the key values that a failing example reads, each with the other values of that key whose cell differs."""
    seen: set[tuple[str, int, frozenset[graph.Match]]] = set()
    for run, table in product(failed, rules.tables.values()):
        for key, match, other in _exchangeable_values(table, run.rows):
            pair = table.name, key, frozenset((match, other))
            if pair not in seen:
                seen.add(pair)
                yield run, table, key, match, other


def _exchangeable_values(
    table: graph.Table, read: Collection[graph.TableRow]
) -> Iterator[tuple[int, graph.Match, graph.Match]]:
    """Yield the keys of the rows that were read which accept one value, with it and each other value of the key."""
    for row in (row for row in table.rows if row in read):
        for key, matches in enumerate(row.keys):
            if matches is not None and len(matches) == 1:
                yield from ((key, matches[0], other) for other in _other_matches(table, row, key))


def _other_matches(table: graph.Table, row: graph.TableRow, key: int) -> Iterator[graph.Match]:
    """Yield the other values of a key whose cell differs, all other keys being equal."""
    rest = row.keys[:key] + row.keys[key + 1 :]
    for each in table.rows:
        matches = each.keys[key]
        has_equal_keys = matches is not None and len(matches) == 1 and each.keys[:key] + each.keys[key + 1 :] == rest
        if matches and has_equal_keys and (each.kind, each.value) != (row.kind, row.value):
            yield matches[0]


def _with_values(table: graph.Table, key: int, first: graph.Match, second: graph.Match) -> graph.Table:
    """Return the table with two values of a key exchanged."""
    substitution: dict[tuple[graph.Match, ...] | None, tuple[graph.Match, ...]] = {
        (first,): (second,),
        (second,): (first,),
    }
    rows = (
        replace(row, keys=(*row.keys[:key], substitution.get(row.keys[key], row.keys[key]), *row.keys[key + 1 :]))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _repaired_runs(
    changed_graph: graph.Graph, failed_run: Run, runs: Sequence[Run], moved_rows: Collection[graph.TableRow]
) -> tuple[Run, ...]:
    """Return the failing runs that pass under the changed graph; () if `failed_run` still fails or another fails."""
    if not run_row(changed_graph, failed_run.example, failed_run.row).has_passed:
        return ()
    affected_runs = [run for run in runs if not run.rows.isdisjoint(moved_rows)]
    passing_runs = [run for run in affected_runs if run_row(changed_graph, run.example, run.row).has_passed]
    repaired_runs = tuple(run for run in passing_runs if run.failures)
    has_broken_run = len(passing_runs) < len(affected_runs) - sum(not run.has_passed for run in affected_runs) + len(
        repaired_runs
    )
    return () if has_broken_run else repaired_runs


def exchanged_cells(rules: graph.Graph, runs: Sequence[Run]) -> Exchange | None:
    """Find two exchanged cells; examples on situation cards run on other graphs and are left out."""
    plain_runs = [run for run in runs if not run.example.card]
    for attempt, (failed_run, table, first, second) in enumerate(_pairs(rules, _failed(plain_runs))):
        if attempt == MOST_ATTEMPTS:
            break
        repaired_runs = _repaired_runs(_exchanged(rules, table, first, second), failed_run, plain_runs, (first, second))
        if repaired_runs and all(any(row in run.rows for run in repaired_runs) for row in (first, second)):
            return Exchange(table, first, second, min(repaired_runs, key=_rank), repaired_runs)
    return None


def _rank(run: Run) -> tuple[bool, int, int]:
    """Sort key: runs with an explanation first, then those that read few cells and depend on few rules."""
    return not run.failures[0].explanation, len(run.rows), len(run.rules)


def _pairs(rules: graph.Graph, failed: list[Run]) -> Iterator[tuple[Run, graph.Table, graph.TableRow, graph.TableRow]]:
    """Yield pairs of differing cells that failing examples read, those of examples with few reads first."""
    read = {row for run in failed for row in run.rows}
    seen: set[frozenset[graph.Origin]] = set()
    for run, table in product(failed, rules.tables.values()):
        rows = [row for row in table.rows if row in read]
        for first, second in product((row for row in rows if row in run.rows), rows):
            pair = frozenset((first.origin, second.origin))
            if (first.kind, first.value) != (second.kind, second.value) and pair not in seen:
                seen.add(pair)
                yield run, table, first, second


def _exchanged(rules: graph.Graph, table: graph.Table, first: graph.TableRow, second: graph.TableRow) -> graph.Graph:
    """Return the graph with two cells exchanged."""
    substitution = {
        first: replace(first, kind=second.kind, value=second.value),
        second: replace(second, kind=first.kind, value=first.value),
    }
    rows = tuple(substitution.get(row, row) for row in table.rows)
    return replace(rules, tables={**rules.tables, table.name: replace(table, rows=rows)})
