"""Find what stands in each other's place in a chart, where failing examples show it: two cells, columns or rows.

In: a graph and how its examples came out. Out: what was exchanged, and which failures it accounts for, or None. Nothing
is guessed: it is exchanged back in a copy of the graph, and examples played again. Of cells, both must be read by
examples that fail as it is and pass then, of columns cells in two rows at least; and none that passes may fail.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from runtime.examples.row_result import Run
from runtime.examples.run import run_row
from runtime.graph import nodes as graph

# A copy of the graph is made ready for every pair that is tried, which takes longer than to play an example.
MOST = 60


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two cells of a table, the failure that leads to them, and all that are gone when they are exchanged."""

    table: graph.Table
    one: graph.TableRow
    other: graph.TableRow
    shown: Run
    repaired: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class ExchangedValues:
    """Two values of a key that stand in each other's place throughout a table, and what is gone when they change."""

    table: graph.Table
    key: int
    one: graph.Match
    other: graph.Match
    shown: Run
    repaired: tuple[Run, ...]


def exchanged_values(rules: graph.Graph, runs: Sequence[Run]) -> ExchangedValues | None:
    """Find columns, or rows, that were exchanged whole; examples on cards are not looked at."""
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
    """List the examples that fail and read charts; first those that read few cells."""
    return sorted((run for run in runs if run.failures and run.rows), key=lambda run: len(run.rows))


def _values(
    rules: graph.Graph, failed: Sequence[Run]
) -> Iterator[tuple[Run, graph.Table, int, graph.Match, graph.Match]]:
    """List the values of keys that a failing example asks with, each with those under which something else stands."""
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
    """List the other values of a key, all else being equal, with which a table says something else."""
    rest = row.keys[:key] + row.keys[key + 1 :]
    for each in table.rows:
        matches = each.keys[key]
        beside = matches is not None and len(matches) == 1 and each.keys[:key] + each.keys[key + 1 :] == rest
        if matches and beside and (each.kind, each.value) != (row.kind, row.value):
            yield matches[0]


def _with_values(table: graph.Table, key: int, one: graph.Match, other: graph.Match) -> graph.Table:
    """The table with two values of a key in each other's place."""
    put: dict[tuple[graph.Match, ...] | None, tuple[graph.Match, ...]] = {(one,): (other,), (other,): (one,)}
    rows = (
        replace(row, keys=(*row.keys[:key], put.get(row.keys[key], row.keys[key]), *row.keys[key + 1 :]))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _repaired_runs(
    turned: graph.Graph, shown: Run, runs: Sequence[Run], moved: Collection[graph.TableRow]
) -> tuple[Run, ...]:
    """List what comes out under a changed graph, among it what is shown; nothing if an example fails for it."""
    if not run_row(turned, shown.example, shown.row).has_passed:
        return ()
    concerned = [run for run in runs if not run.rows.isdisjoint(moved)]
    passing = [run for run in concerned if run_row(turned, run.example, run.row).has_passed]
    mended = tuple(run for run in passing if run.failures)
    spoiled = len(passing) < len(concerned) - sum(not run.has_passed for run in concerned) + len(mended)
    return () if spoiled else mended


def exchanged_cells(rules: graph.Graph, runs: Sequence[Run]) -> Exchange | None:
    """Find them; examples on cards are played on other graphs, and not looked at."""
    here = [run for run in runs if not run.example.card]
    for tried, (shown, table, one, other) in enumerate(_pairs(rules, _failed(here))):
        if tried == MOST:
            break
        mended = _repaired_runs(_exchanged(rules, table, one, other), shown, here, (one, other))
        if mended and all(any(row in run.rows for run in mended) for row in (one, other)):
            return Exchange(table, one, other, min(mended, key=_rank), mended)
    return None


def _rank(run: Run) -> tuple[bool, int, int]:
    """Put what is explained first, and what leans on little."""
    return not run.failures[0].explanation, len(run.rows), len(run.rules)


def _pairs(rules: graph.Graph, failed: list[Run]) -> Iterator[tuple[Run, graph.Table, graph.TableRow, graph.TableRow]]:
    """List cells that failing examples read, and say otherwise; first those of examples that read few."""
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
    """The graph with two cells in each other's place."""
    put = {one: replace(one, kind=other.kind, value=other.value), other: replace(other, kind=one.kind, value=one.value)}
    rows = tuple(put.get(row, row) for row in table.rows)
    return replace(rules, tables={**rules.tables, table.name: replace(table, rows=rows)})
