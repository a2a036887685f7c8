"""Folds with several loops are evaluated and printed as written, and wrong ones are errors."""

from pathlib import Path

import pytest

from compiler.analysis.expression_text import ExpressionWriter
from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from rulewright.library.stacks import open_packages
from runtime.graph.wording import Wording
from tests.analysis.planted import library_of

STACK = open_packages((Path(__file__).parent / "toy",)).compiled("constructs")
LAYER = "layer: planted\ntitle: Planted\nkind: base\n"
GAME = "side red, blue\nkind unit has strength: 0..9\ntrack unit.last: list of 0..9 = {}\n"


def test_a_fold_with_several_loops_is_written_and_phrased() -> None:
    assert STACK.graph is not None
    value = STACK.graph.rules["two-off"].value
    assert value is not None
    assert ExpressionWriter(STACK.graph.vocabulary).text(value) == (
        "{o for b in all bead where b.side = s for n in neighbors(b.hex) for o in bead at n}"
    )
    assert Wording(STACK.graph).phrase(value) == "beads in it, for all the neighbors of its hex, for all beads of s"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{u in all unit for h in neighbors(u.hex)}", "without saying what it collects"),
        (
            "count(least(u in all unit for h in neighbors(u.hex) by 1 otherwise u))",
            "`least` is possible for one set only",
        ),
        ("count(trailing(n in u.last for h in neighbors(u.hex)))", "`trailing` is possible for one list only"),
        ("every(v in all unit for h in neighbors(v.hex))", "this is always true"),
        (
            "min(distance(v.hex, h) for v in all unit for h in neighbors(v.hex))",
            "`min` has no value when its set is empty",
        ),
        ("max(h for v in all unit for h in neighbors(v.hex) otherwise 0)", "expected a number, found a hex"),
        ("count(a in all unit for b in all unit for c in all unit for d in all unit for e in all unit)", "more than 4"),
    ],
)
def test_a_wrong_fold_is_one_error(written: str, message: str, tmp_path: Path) -> None:
    files = {"layer.yaml": LAYER, "game.rules": f"{GAME}define asked(u: unit) [house] = {written}\n"}
    diagnostics = [
        diagnostic_line(each) for each in diagnose(compile_stack(library_of(files, tmp_path), "planted").problems, {})
    ]
    assert len(diagnostics) == 1, diagnostics
    assert message in diagnostics[0], diagnostics


@pytest.mark.parametrize("pick", ["min", "max"])
def test_min_and_max_of_a_set_literal_equal_those_of_arguments(pick: str, tmp_path: Path) -> None:
    """Proofs bound `min(9, x)` by nine, and so the same expression with braces."""
    question = "define {}(u: unit): 0..9 [house] = {}"
    text = (
        f"{question.format('one', f'{pick}({{9, u.strength}})')}\n{question.format('two', f'{pick}(9, u.strength)')}\n"
    )
    rules = compile_stack(library_of({"layer.yaml": LAYER, "game.rules": f"{GAME}{text}"}, tmp_path), "planted").graph
    assert rules is not None
    assert rules.rules["one"].value == rules.rules["two"].value
