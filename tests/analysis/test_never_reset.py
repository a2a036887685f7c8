"""A track that play counts toward a prohibition, and never resets, is reported; one of another kind is not."""

from pathlib import Path

import pytest

from compiler.analysis.findings.never_reset import NeverCleared, never_reset
from tests.analysis.planted import compiled

RULES = """
side north, south
kind cart has pace: 1..4
TRACK
verdict may_go(c: cart) default allowed reads "{c} may go" denied "{c} may not go"
rule tired may_go forbidden when GUARD
condition worn(c: cart) default no reads "{c} is worn" denied "{c} is not worn"
rule worn-out worn holds when c.gone >= c.pace
action go by player in moving "Go." {
  choose c from {c in all cart where c.side = player}
  legal may_go(c)
  STEP
}
sequence planted {
  each turn in 1..3 { phase moving "Moving" { for each s in {north, south} { offer go by s until yes } } }
}
"""
PLAIN = "track cart.gone: 0..9 = 0"
UP, DOWN = "set c.gone to min(9, c.gone + 1)", "set c.gone to max(0, c.gone - 1)"


@pytest.mark.parametrize(
    ("track", "guard", "step", "is_found"),
    [
        (PLAIN, "c.gone >= c.pace", UP, True),
        (PLAIN, "c.gone + 1 > c.pace", UP, True),
        (PLAIN, "c.pace <= c.gone", UP, True),
        ("track cart.gone: 0..9 = 9", "c.gone = 0", DOWN, True),
        (f"{PLAIN} until end of turn", "c.gone >= c.pace", UP, False),
        (f"{PLAIN} until end of game", "c.gone >= c.pace", UP, False),
        (PLAIN, "c.gone < c.pace", UP, False),  # What is counted lifts the prohibition.
        (PLAIN, "c.pace = 1", UP, False),  # Only a condition reads it.
        (PLAIN, "c.gone >= c.pace", f"if c.gone = 9 {{ {DOWN} }} else {{ {UP} }}", False),
        (PLAIN, "c.gone >= c.pace", f"if c.gone = 9 {{ set c.gone to 0 }} else {{ {UP} }}", False),
    ],
)
def test_a_count_toward_a_prohibition_needs_an_end(
    track: str, guard: str, step: str, is_found: bool, tmp_path: Path
) -> None:
    text = RULES.replace("TRACK", track).replace("GUARD", guard).replace("STEP", step)
    manifest = "layer: planted\ntitle: Planted\nkind: base\nplayable: yes\ncites: house\n"
    found = list(never_reset(compiled({"layer.yaml": manifest, "a.rules": text}, tmp_path, "planted")))
    assert [isinstance(each, NeverCleared) and each.name for each in found] == ["cart.gone"] * is_found
