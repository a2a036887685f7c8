"""Patches that add rows and columns to charts by their names: the same cells as when each is listed with its keys."""

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.compile import CompilationResult, compile_stack
from compiler.report.diagnose import diagnose
from compiler.source.package import discover_layers

GAME = """
side north, south
enum ground: meadow, fen
enum gait: paw, hoof
value price(g: ground, m: gait): 0..9
rule priced "As charted." price is fare[g, m]
value cover(g: ground): 0..9
rule covered "As charted." cover is shade[g]
"""
CHARTS = """
table: fare
cites: house
keys: {row: ground, column: gait}
cell: 0..9
columns: [paw, hoof]
grid:
  meadow: [1, 2]
  fen: [3, 4]
---
table: shade
cites: house
keys: {row: ground}
cell: 0..9
grid: {meadow: 0, fen: 1}
"""
# A layer adds a ground and a gait, and both to the charts.
WORDS = "extend enum ground: dune\nextend enum gait: wing\n"
LISTED = """
patch: fare
cites: house
add rows:
  - {row: dune, column: paw, is: 5}
  - {row: dune, column: hoof, is: 6}
  - {row: dune, column: wing, is: 1}
add columns: {wing: {meadow: 1, fen: 1}}
---
patch: shade
cites: house
add rows: [{row: dune, is: 2}]
"""
NAMED = """
patch: fare
cites: house
add rows: {dune: {paw: 5, hoof: {is: 6}, wing: 1}}
add columns: {wing: {meadow: 1, fen: 1}}
---
patch: shade
cites: house
add rows: {dune: 2}
"""


def compiled_with(folder: Path, patch: str) -> CompilationResult:
    """Compile the game with a layer that adds the words, and a patch."""
    for name, on, kind in (("game", "", "base"), ("desert", "on: [game]\n", "variant")):
        place = folder / name
        place.mkdir()
        (place / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\nkind: {kind}\n{on}cites: house\n")
    (folder / "game" / "game.rules").write_text(GAME)
    (folder / "game" / "charts.yaml").write_text(CHARTS)
    (folder / "desert" / "words.rules").write_text(WORDS)
    (folder / "desert" / "charts.yaml").write_text(patch)
    library, problems = discover_layers([folder])
    compiled = compile_stack(library, "desert")
    return replace(compiled, problems=(*problems, *compiled.problems))


def cells_of(compiled: CompilationResult) -> list[tuple[str, str, str]]:
    """List the keys and values of all cells of both charts."""
    assert compiled.graph is not None, compiled.problems
    return sorted(
        (name, str(row.keys), str(row.value)) for name, table in compiled.graph.tables.items() for row in table.rows
    )


def test_rows_by_name_equal_a_list_of_cells(tmp_path: Path) -> None:
    folders = [tmp_path / "listed", tmp_path / "named"]
    for folder in folders:
        folder.mkdir()
    listed, named = (compiled_with(folder, patch) for folder, patch in zip(folders, (LISTED, NAMED), strict=True))
    assert cells_of(listed) == cells_of(named)
    assert len(cells_of(named)) == 12


def test_one_cell_of_a_row_is_for_all_columns(tmp_path: Path) -> None:
    cells = cells_of(compiled_with(tmp_path, "patch: fare\nadd rows: {dune: 5, fen: {wing: 1}, meadow: {wing: 1}}\n"))
    [dune] = [keys for _, keys, value in cells if "Fraction(5, 1)" in value]
    assert "dune" in dune
    assert "paw" not in dune


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("patch: shade\nadd rows: {dune: {paw: 5}}", "`shade` has no key `paw`"),
        ("patch: shade\nadd columns: {wing: {fen: 5}}", "`shade` has no key `wing`"),
        ("patch: fare\nadd rows: {fen: {paw: 5, hoof: 6}}", "`fare` already has a row `fen`"),
        ("patch: fare\nadd columns: {paw: {meadow: 5, fen: 6}}", "`fare` already has a column `paw`"),
        ("patch: fare\nadd rows: {dune: {fin: 5}}", "`fin` is not a member of `gait`"),
        ("patch: fare\nadd rows: 5", "expected rows with their cells, or a list of cells"),
        ("patch: fare\nadd rows: {dune: [5, 6, 1]}", "expected"),
    ],
)
def test_a_line_that_does_not_fit_its_chart_is_reported(patch: str, message: str, tmp_path: Path) -> None:
    compiled = compiled_with(tmp_path, f"{patch}\n")
    found = [each.message for each in diagnose(compiled.problems, {})]
    assert any(message in each for each in found), found
