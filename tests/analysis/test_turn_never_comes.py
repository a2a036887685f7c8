"""A turn that a card lists and the game does not have is reported (R0706), if the fact lists turns and nothing else."""

from pathlib import Path

import pytest

from tests.commands.planting import say
from tests.sample import sampled

LAYER = "layer: late\ntitle: Late\nkind: variant\non: [long_frost]\ncites: house\n"
CARD = "patch: first_snow\ncites: house\nfacts:\n  - {fact: snow_turns, expect: [3, 4], now: [3, 4, 9]}\n"
OTHER_USE = 'rule some-snow [LF.6] "Snow is near."\n  supply_range is 1\n  when count(t in scenario.snow_turns) > 1\n'


@sampled(1)
@pytest.mark.parametrize(
    ("card", "rules", "message"),
    [
        (CARD, "", "`snow_turns` of `first_snow` lists turn `9`, but the last turn is 4"),
        (CARD.replace(", 9", ""), "", ""),
        (CARD, OTHER_USE, ""),
    ],
)
def test_a_turn_after_the_last_one(card: str, rules: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "layer.yaml").write_text(LAYER)
    (tmp_path / "late" / "card.yaml").write_text(card)
    (tmp_path / "late" / "late.rules").write_text(rules)
    done = say(["check", "long_frost+late", "--path", str(tmp_path), "--alone"])
    assert "situations looked at: first_snow" in done.out
    assert ("R0706" in done.out) == bool(message)
    assert message in done.out
