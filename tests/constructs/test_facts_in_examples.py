"""An example fails if a line breaks an `always` fact that held before it: proofs assume the fact in every position."""

from pathlib import Path

import pytest

from runtime.examples.run import run_examples
from tests.analysis.planted import compiled

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
GAME = """
side north, south
kind cart has speed: 0..9
feature hex: bog
track game.toll: 0..9 = 0
always dry [house] every(c in all cart where c.hex is not bog)
always cheap [house] game.toll < 5
always printed [house] every(c in all cart where c.speed < 9)
resolution push(c: cart, h: hex) [house] "A cart is pushed." { move c to h }
resolution pay(n: 0..9) [house] "The toll is set." { set game.toll to n }
EXAMPLE
"""
UNITS = "pieces: cart\ncites: house\ncolumns: [id, side, speed]\nrows:\n  - [mule, north, 3]\n"


@pytest.mark.parametrize(
    ("lines", "failures"),
    [
        ("do push(M, C)\n ask M.hex = C", []),
        ("do push(M, B)", ["`dry` to hold as before this line: broken by M"]),
        ("do push(M, B)\n do push(M, C)\n do push(M, B)", ["`dry` to hold as before this line: broken by M"] * 2),
        ("do pay(4)\n do pay(6)", ["`cheap` to hold as before this line: broken"]),
        ("move M to B\n move M to C\n do pay(1)", []),  # Lines that set the position up may break what they restore.
        ("move M to B\n do pay(1)", ["`dry` to hold as before this line: broken by M"]),
        ("move M to B", ["`dry` to hold as before this line: broken by M"]),  # An `ask` is next.
        ("piece N: mule at B\n do push(M, C)\n ask M.hex = C", []),  # It was broken before the line.
    ],
)
def test_a_line_that_breaks_a_fact_fails(lines: str, failures: list[str], tmp_path: Path) -> None:
    example = f'example "a push" {{\n row A, B bog, C\n piece M: mule at A\n {lines}\n ask game.turn = 1\n}}'
    files = {"layer.yaml": LAYER, "game.rules": GAME.replace("EXAMPLE", example), "units.yaml": UNITS}
    [run] = run_examples(compiled(files, tmp_path))
    assert [f"{each.expected}: {each.actual}" for each in run.failures] == failures
