"""A rule that reaches a question in two ways with different arguments is an error; with the same it is one rule."""

from pathlib import Path

import pytest

from compiler.compile import problems_of_stack
from compiler.report.diagnose import diagnose
from tests.analysis.planted import library_of

WORDS = """
side north, south
kind cart has speed: 0..9
verdict may_go(c: cart) default allowed reads "{c} may go" denied "{c} may not go"
verdict may_pull(c: cart, load: cart) default allowed reads "{c} may pull {load}" denied "{c} may not pull {load}"
verdict may_push(c: cart, load: cart) default allowed reads "{c} may push {load}" denied "{c} may not push {load}"
verdict may_haul(c: cart, load: cart) default allowed reads "{c} may haul {load}" denied "{c} may not haul {load}"
question may_pull beside may_go(c)
rule slow-carts-stay [house] "A slow cart stays."
  may_go forbidden
  when c.speed < 2
"""
OTHER = "question may_push beside may_go(load)\n"
SAME = "question may_push beside may_go(c)\n"
TWICE = (
    "`slow-carts-stay` applies to `may_haul` both through `may_pull` and through `may_push`, with different arguments"
)
BOTH = "question may_haul beside may_pull(c, load)\nquestion may_haul beside may_push(c, load)"


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (OTHER + BOTH, TWICE),
        (OTHER + BOTH + " but not slow-carts-stay", None),
        (SAME + BOTH, None),
    ],
)
def test_a_rule_is_adopted_with_one_set_of_arguments(rules: str, message: str | None, tmp_path: Path) -> None:
    manifest = "layer: game\ntitle: Game\nkind: base\nplayable: yes\ncites: house\n"
    library = library_of({"game/layer.yaml": manifest, "game/words.rules": WORDS + rules + "\n"}, tmp_path)
    found = diagnose(problems_of_stack(library, "game"), library.texts)
    assert [(each.code, each.message) for each in found] == ([("R0411", message)] if message else [])
