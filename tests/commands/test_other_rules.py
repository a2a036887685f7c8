"""A card under rules that are not its own: one message counts the names that the rules do not declare."""

import pytest

from rulewright.cli.app import run


@pytest.mark.parametrize("command", ["play", "compare"])
def test_names_of_a_card_that_the_rules_do_not_declare_are_counted(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "before_the_tide", "--rules", "two_clans"]) == 1
    out = capsys.readouterr().out
    assert "`two_clans` does not know 4 of the sides and counters on this card" in out
    assert "the card is for `low_tide`: name rules that stand on these" in out
