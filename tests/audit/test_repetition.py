"""Actions that can repeat without end are reported with their cycle; cycles that dice may end are marked."""

import json
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.new_packages import new_game

RULES = """
domain die = 1..6
status unit: dug_in until end of turn
action dig by player in movement [Q.1] "Dig in." reads "dig in" {
  choose who from {u in all unit where u.side = player and u is not dug_in|tired} preferring 1
  mark who as dug_in
}
action fill by player in movement [Q.1] "Fill it." reads "fill" {
  choose who from {u in all unit where u.side = player and u is dug_in} preferring 1
  ENDS
  unmark who as dug_in
}
action pray by player in movement [Q.1] "Pray." reads "pray" {
  choose who from {u in all unit where u.side = player and u is not tired} preferring 1
  roll d: die
  if d = 6 { mark who as tired }
}
offer dig, fill, pray beside march
"""


def repeats(folder: Path, ends: str, capsys: pytest.CaptureFixture[str], code: int) -> list[tuple[list[str], bool]]:
    """Audit games with the step `ends` in `fill`; return the actions of each cycle, and whether it has dice."""
    new_game("toy", folder / "packages")
    place = folder / "packages" / "digging"
    place.mkdir()
    (place / "layer.yaml").write_text("layer: digging\ntitle: Digging\nkind: variant\non: [toy]\n")
    (place / "sources.yaml").write_text("sources:\n  - {prefix: Q, title: Digging, items: [Q.1]}\n")
    (place / "digging.rules").write_text(RULES.replace("ENDS", ends))
    command = ["audit", "first_toy", "--rules", "digging", "-n", "8", "--players", "random"]
    assert run([*command, "--path", str(folder / "packages"), "--format", "json"]) == code
    return [(each["actions"], each["dice"]) for each in json.loads(capsys.readouterr().out)["repeats"]]


def test_a_cycle_of_actions_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = repeats(tmp_path, "", capsys, 1)
    assert (["dig", "fill"], False) in found
    assert (["pray"], True) in found
    assert all(dice or sorted(set(actions)) == ["dig", "fill"] for actions, dice in found)


def test_actions_that_use_up_a_status_have_no_cycle_without_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = repeats(tmp_path, "mark who as tired", capsys, 0)
    assert found
    assert all(dice for _, dice in found)
