"""Find two cells of a chart that stand in each other's place, where failing examples show it.

In: a graph and how its examples came out. Out: the cells, and which failures they account for, or None. Nothing is
guessed: the cells are exchanged in a copy of the graph, and examples played again. Both must be read by examples that
fail as it is and pass then, and none that passes may fail.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from runtime.examples.run import Run, run_row
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
    mended: tuple[Run, ...]


def exchanged_cells(rules: graph.Graph, runs: Sequence[Run]) -> Exchange | None:
    """Find them; examples on cards are played on other graphs, and not looked at."""
    here = [run for run in runs if not run.example.card]
    failed = sorted((run for run in here if run.failures and run.rows), key=lambda run: len(run.rows))
    for tried, (shown, table, one, other) in enumerate(_pairs(rules, failed)):
        if tried == MOST:
            break
        turned = _exchanged(rules, table, one, other)
        if run_row(turned, shown.example, shown.row).passed:
            concerned = [run for run in here if not run.rows.isdisjoint((one, other))]
            passing = [run for run in concerned if run_row(turned, run.example, run.row).passed]
            mended = tuple(run for run in passing if run.failures)
            spoiled = len(passing) < len(concerned) - sum(not run.passed for run in concerned) + len(mended)
            if not spoiled and all(any(row in run.rows for run in mended) for row in (one, other)):
                return Exchange(table, one, other, min(mended, key=_telling), mended)
    return None


def _telling(run: Run) -> tuple[bool, int, int]:
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
