"""Units that wait in the reserve are reported (R0587) unless a rule reads the reserve."""

from pathlib import Path

import pytest

from tests.commands.planting import say
from tests.sample import sampled

LAYER = "layer: late\ntitle: Late\nkind: variant\non: [low_tide]\ncites: house\n"
CARD = """patch: before_the_tide
cites: house
forces:
  - {side: north, unit: child, expect: 0, now: 2}
"""
CALLED = """action call_home by player in foraging [house] "Call another child." reads "call {u}" {
  choose u from {u in WHO where u.side = player} preferring 9
  choose h from {h in all hex where home(u, h) and none(walker at h)}
  move u to h
}

offer call_home beside walk
"""
HELPERS = """define helpers(): set of walker [house] = reserve(walker)
  reads "those who wait"

"""


@sampled(1)
@pytest.mark.parametrize(
    ("rules", "is_reported"),
    [
        ("", True),
        (CALLED.replace("WHO", "all walker"), True),
        (CALLED.replace("WHO", "reserve(walker)"), False),
        (HELPERS + CALLED.replace("WHO", "helpers()"), False),
    ],
)
def test_a_reserve_that_no_rule_reads_is_reported(rules: str, is_reported: bool, tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "layer.yaml").write_text(LAYER)
    (tmp_path / "late" / "card.yaml").write_text(CARD)
    (tmp_path / "late" / "late.rules").write_text(rules)
    done = say(["check", "low_tide+late", "--path", str(tmp_path)])
    assert "situations looked at: before_the_tide" in done.out
    assert ("R0587" in done.out) == is_reported
