"""A card under rules that are not its own: one message counts the names that the rules do not declare."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run


@pytest.mark.parametrize("command", ["play", "compare"])
def test_names_of_a_card_that_the_rules_do_not_declare_are_counted(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "before_the_tide", "--rules", "two_clans"]) == 1
    out = capsys.readouterr().out
    assert "`two_clans` lacks 4 of the sides and counters of this situation" in out
    assert "name rules that are based on `low_tide`, for which the situation was made" in out


def test_a_fact_of_a_card_that_the_rules_do_not_declare_is_reported_with_its_own_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = CARD.format(sides="north, south", side="north").replace("[{unit: fisher, at: A1}, ", "[")
    card = card.replace("uses: low_tide", "uses: low_tide+late_tide")
    card = card.replace("unit: wader", "unit: child").replace("unit: gull", "unit: elder")
    (tmp_path / "card.yaml").write_text(f"{card}facts: {{hour: 3}}\n")
    layer = tmp_path / "late_tide"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: late_tide\ntitle: Late tide\nkind: optional\non: [low_tide]\n")
    (layer / "hours.rules").write_text("# Hours.\n\ntrack scenario.hour: 0..24 = 0\n")
    assert run(["show", "other_walkers", "--path", str(tmp_path)]) == 0
    assert run(["show", "other_walkers", "--rules", "low_tide", "--path", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "`low_tide` lacks `hour`, which this situation names" in out
    assert "name rules that are based on `low_tide+late_tide`, for which the situation was made" in out


CARD = """\
scenario: other_walkers
title: Other Walkers
uses: low_tide
cites: house
map: [[the_flats]]
turns: 2
order: [{sides}]
forces:
  - {{side: {side}, placed: [{{unit: fisher, at: A1}}, {{unit: wader, at: A2}}, {{unit: gull, at: B1}}]}}
"""


@pytest.mark.parametrize(
    ("sides", "messages"),
    [
        ("north, south", ["there is no counter `fisher`", "there is no counter `wader`", "there is no counter `gull`"]),
        ("east, west", ["`low_tide` lacks 5 of the sides and counters of this situation"]),
    ],
)
def test_a_card_of_known_sides_has_each_unknown_counter_reported(
    sides: str, messages: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "card.yaml").write_text(CARD.format(sides=sides, side=sides.partition(",")[0]))
    assert run(["show", "other_walkers", "--rules", "low_tide", "--path", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert all(message in out for message in messages), out
    assert out.count("error R") == len(messages), out
