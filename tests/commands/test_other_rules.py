"""A card under rules that are not its own: names that these rules do not declare are reported for them."""

import pytest

from rulewright.cli.app import run


@pytest.mark.parametrize("command", ["play", "compare"])
def test_rules_that_know_nothing_of_a_card(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "before_the_tide", "--rules", "two_clans"]) == 1
    out = capsys.readouterr().out
    assert "`two_clans` does not know 4 of the sides and counters on this card" in out
    assert "the card is for `low_tide`: name rules that stand on these" in out
