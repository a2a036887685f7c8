"""Columns of an example's table define the position; each row is a case of its own."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.library.stacks import open_packages
from tests.analysis.planted import library_of

STACK = open_packages((Path(__file__).parent / "toy",)).compiled("constructs")
LAYER = "layer: planted\ntitle: Planted\nkind: base\n"
GAME = """
side red, blue  feature hex: mud  kind unit has strength: 0..9  domain die = 1..6
status unit: tired until end of turn
resolution try(u: unit) [house] { roll d: die if d > 3 { mark u as tired } }
"""
ROWS = (
    'example "e" for (ground, at, d, answer) in {} {{ row A ground, B piece U: unit of red at at dice d do try(U) {} }}'
)


def planted(text: str, folder: Path) -> list[str]:
    files = {"layer.yaml": LAYER, "game.rules": f"{GAME}{text}\n"}
    return [
        diagnostic_line(each) for each in diagnose(compile_stack(library_of(files, folder), "planted").problems, {})
    ]


def test_each_row_has_a_position_of_its_own() -> None:
    assert STACK.graph is not None
    found = [example for example in STACK.graph.examples if example.title.startswith("pushes")]
    assert [example.title for example in found] == [f"pushes, case {number}" for number in range(1, 6)]
    assert [example.dice for example in found] == [(3,), (4,), (6,), (6,), (4,)]
    assert [example.position.pieces[0].at for example in found] == ["A", "A", "B", "A", "A"]
    assert [example.position.board.hexes["A"][2] for example in found][3:] == [("sticky",), ("dark", "sticky")]


@pytest.mark.parametrize(
    ("rows", "lines", "message"),
    [
        ("(mud, A, 3, no), ({}, B, 4, yes)", "ask U is tired = answer", ""),
        ("(mud, A, 3, no), (muddy, B, 4, yes)", "ask U is tired = answer", "`muddy`"),
        ("(3, A, 3, no), ({}, B, 4, yes)", "ask U is tired = answer", "`3` cannot stand for a feature"),
        ("({}, {A, B}, 4, yes)", "ask U is tired = answer", "`{A, B}` cannot stand for a hex"),
        ("({}, A, B, yes)", "ask U is tired = answer", "`B` cannot stand for a die"),
        ("({}, A, 7, yes)", "ask U is tired = answer", "the dice cannot show 7"),
        ("({}, A, 4)", "ask U is tired", "this row has 3 values"),
        ("({}, A, 4, yes), ({}, A, 4, yes)", "ask U is tired = answer", "this row"),
        ("({}, A, 4, yes)", "ask U is tired", "no line of this example uses `answer`"),
        ("({}, A, 4, yes)", "ask U is tired = answer dice e do try(U)", "`e`"),
    ],
)
def test_errors_of_rows_are_reported_once(rows: str, lines: str, message: str, tmp_path: Path) -> None:
    stack = planted(ROWS.format(rows, lines), tmp_path)
    assert len(stack) == bool(message), stack
    assert message in "".join(stack)
