"""Slips of people who know other games, or other languages: each is told what to write."""

from pathlib import Path

import pytest

from compiler.analysis.prove import prove
from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from tests.analysis.planted import compiled, library_of

RULES = """side north, south
kind cart has room: 0..4
feature hex: bog
verdict may_go(c: cart) default allowed
verdict may_rest(c: cart) default allowed
rule stuck "Stuck."  may_go forbidden  when CONDITION
"""
CARTS = "pieces: cart\ncites: house\ncolumns: [id, room]\nrows: [[dray, 4]]\n"
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


@pytest.mark.parametrize(
    ("condition", "message", "help_"),
    [
        ("c is dray", "cart cannot be `dray`", "write `c.counter = dray`"),
        ("c is not dray", "cart cannot be `dray`", "write `c.counter != dray`"),
        (
            "may_rest(c) = forbidden",
            "`forbidden` is no value: an answer is `yes` or `no`",
            "write `no`, or put `not` before the question",
        ),
        (
            "cart at c.hex >= 3",
            "`cart at c.hex` is set of cart, no number",
            "count its members: `count(cart at c.hex) >= 3`",
        ),
    ],
)
def test_a_slip(condition: str, message: str, help_: str, tmp_path: Path) -> None:
    files = {"layer.yaml": LAYER, "rules.rules": RULES.replace("CONDITION", condition), "carts.yaml": CARTS}
    library = library_of(files, tmp_path)
    found = diagnose(compile_stack(library, "planted").problems, library.texts)
    assert [(each.message, each.help) for each in found] == [(message, help_)]


def test_what_a_layer_does_to_the_rules_below_is_not_told_of_them(tmp_path: Path) -> None:
    files = {
        "planted/layer.yaml": LAYER,
        "planted/rules.rules": RULES.replace("CONDITION", "not may_rest(c)")
        + 'rule eager "Eager."  may_go allowed  exception to late  when c.room > 3\n'
        + 'rule late "Late."  may_go forbidden  when c.room > 2\n',
        "mud/layer.yaml": "layer: mud\ntitle: Mud\nkind: variant\non: [planted]\ncites: house\n",
        "mud/mud.rules": 'rule no-rest "No rest."  may_rest forbidden\n',
    }
    made = compiled(files, tmp_path, "planted+mud")
    assert "GrantWithheld" not in {type(each).__name__ for each in prove(made, lambda _: None, "")}
