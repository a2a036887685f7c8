"""Exchanged columns or lines of a chart are reported with their keys; shipped charts have none."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from compiler.analysis.findings.columns_exchanged import ColumnsExchanged, columns_exchanged
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from tests.analysis.planted import compiled


def exchanged(rules: graph.Graph, name: str, place: int, one: int | Fraction, other: int | Fraction) -> graph.Graph:
    """Return the rules with two values of a key of a chart exchanged."""
    table = rules.tables[name]
    places = {one: other, other: one}

    def moved(match: graph.Match) -> graph.Match:
        at = places.get(Fraction(match.low), Fraction(match.low))
        return graph.Match(at, at)

    rows = []
    for row in table.rows:
        keys = list(row.keys)
        wanted = keys[place]
        keys[place] = None if wanted is None else tuple(map(moved, wanted))
        rows.append(replace(row, keys=tuple(keys)))
    return replace(rules, tables={**rules.tables, name: replace(table, rows=tuple(rows))})


@pytest.fixture(scope="module")
def leader() -> graph.Graph:
    rules = load_stack("panzer_leader").graph
    assert rules is not None
    return rules


def test_a_shipped_chart_has_no_finding(leader: graph.Graph) -> None:
    assert not list(columns_exchanged(leader))


def test_two_exchanged_columns_are_found(leader: graph.Graph) -> None:
    places = dict(leader.vocabulary.scales["odds"].places)
    spoiled = exchanged(leader, "crt", 1, places["1-2"], places["2-1"])
    (found,) = columns_exchanged(spoiled)
    assert isinstance(found, ColumnsExchanged)
    assert (found.table.label, found.key, {found.first, found.second}) == ("crt", "column", {"1-2", "2-1"})


def test_two_exchanged_cells_of_one_line_are_found(leader: graph.Graph) -> None:
    table = leader.tables["crt"]
    places = dict(leader.vocabulary.scales["odds"].places)
    one, other = (Fraction(places[name]) for name in ("1-1", "2-1"))

    def at(row: graph.TableRow, column: Fraction) -> bool:
        die, odds = row.keys
        return die is not None and odds is not None and (die[0].low, odds[0].low) == (2, column)

    cells = {column: next(row for row in table.rows if at(row, column)) for column in (one, other)}
    exchanged = {cells[one]: cells[other].value, cells[other]: cells[one].value}
    rows = tuple(replace(row, value=exchanged.get(row, row.value)) for row in table.rows)
    (found,) = columns_exchanged(replace(leader, tables={**leader.tables, "crt": replace(table, rows=rows)}))
    assert isinstance(found, ColumnsExchanged)
    assert (found.line, found.first, found.second) == ("2", "1-1", "2-1")
    assert set(found.cells) == {row.origin for row in cells.values()}


@pytest.mark.parametrize(
    ("odd_lines", "found"),
    [(([0, -1, 0, 0], [0, 1, 0, 0]), 0), (([0, -1, 1, 1], [0, -1, 0, 1]), 1)],
)
def test_lines_with_one_odd_cell_prove_nothing(odd_lines: tuple[list[int], ...], found: int, tmp_path: Path) -> None:
    """An exchange with the column at the end sorts any line of which one cell alone differs from the others."""
    lines = ([-1, -1, -1, 0], [0, 0, 0, 0], *odd_lines)
    files = {
        "layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
        "charts.yaml": "table: veering\ncites: house\nkeys: {die: 1..4, strength: 1..4}\ncell: number\n"
        "columns: [1, 2, 3, 4]\ngrid:\n" + "".join(f"  {die}: {line}\n" for die, line in enumerate(lines, 1)),
        "case.rules": "value veer(d: 1..4, s: 1..4): -1..1\nrule by-chart veer is veering[round_up(d), round_up(s)]\n",
    }
    assert len(list(columns_exchanged(compiled(files, tmp_path)))) == found
