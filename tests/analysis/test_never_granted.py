"""A prohibition on what no rule grants and whose default is no is reported: the answer is always no."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import diagnose
from tests.analysis.planted import library_of
from tests.proved import prove

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """side north, south
kind cart has room: 0..4
verdict may_go(c: cart) default {default}
rule full-stay "Full carts stay."  may_go forbidden  when c.room = 0
precondition at-hand(c: cart) "All see to it." at the table needs may_go(c)
"""
GRANT = 'rule northern-go "Those of the north go."  may_go allowed  when c.side = north\n'


@pytest.mark.parametrize(
    ("default", "more", "found"),
    [("forbidden", "", ["full-stay"]), ("forbidden", GRANT, []), ("allowed", "", [])],
)
def test_a_prohibition_of_what_nothing_grants(default: str, more: str, found: list[str], tmp_path: Path) -> None:
    library = library_of({"layer.yaml": LAYER, "rules.rules": RULES.format(default=default) + more}, tmp_path)
    rules = compile_stack(library, "planted").graph
    assert rules is not None
    reported = [each for each in diagnose(prove(rules).problems, library.texts) if each.code == "R0526"]
    assert [each.message for each in reported] == [
        f"the prohibition `{label}` has no effect: `may_go` is forbidden by default" for label in found
    ]
