"""An `always` fact that a step breaks is reported with step and position, unless it holds at the next decision."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

RULES = """
always the-dug-in-are-rested [Q.1] every(u in all unit where u is not dug_in or u is not tired)
always runners-are-few [Q.1] every(u in all unit where u.movement >= 1 MP)
status unit: dug_in until end of turn
action dig by player in movement [Q.1] "Dig in." reads "dig in" {
  choose who from {u in all unit where u.side = player and u is not dug_in}
  mark who as dug_in
  AFTER
}
offer dig beside march
example "tired digger" {
  row A, B
  piece R: runner of north at A (tired)
  act dig(who: R)
}
"""
MANIFEST = "layer: digging\ntitle: Digging\nkind: variant\non: [toy]\n"
SOURCES = "sources:\n  - {prefix: Q, title: Digging, items: [Q.1]}\n"


def audited(after: str, arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Audit a game in which the tired may dig in, then execute `after`."""
    new_game("toy", folder / "packages")
    place = folder / "packages" / "digging"
    place.mkdir()
    files = {"layer.yaml": MANIFEST, "sources.yaml": SOURCES, "digging.rules": RULES.replace("AFTER", after)}
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    command = ["audit", *arguments, "--positions", str(folder), "--path", str(folder / "packages")]
    code = run([*command, "--format", "json"])
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == bool(data["broken_facts"])
    return data


GAMES = ["first_toy", "--rules", "digging", "-n", "8", "--players", "random"]


@pytest.mark.parametrize("arguments", [["digging"], GAMES], ids=["examples", "games"])
def test_a_fact_that_a_step_breaks(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = audited("mark who as tired", arguments, tmp_path, capsys)
    broken = {each["step"]: each for each in found["broken_facts"]}
    assert found["facts"] == 1  # The other one is about printed values alone.
    first = broken["mark as dug_in" if arguments == ["digging"] else "mark as tired"]
    assert (first["fact"], first["procedure"]) == ("the-dug-in-are-rested", "action dig")
    (who,) = first["culprits"]
    question = ["ask", "digging", "-p", first["position"], "--path", str(tmp_path / "packages"), "--format", "json"]
    for status in ("dug_in", "tired"):
        assert run([*question, f"{who} is {status}"]) == 0
        assert json.loads(capsys.readouterr().out)["value"] is True


def test_a_fact_that_is_restored_before_the_next_decision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audited("unmark who as dug_in", ["digging"], tmp_path, capsys)["broken_facts"] == []


def test_the_report_names_step_and_fact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audited("mark who as tired", ["digging"], tmp_path, capsys)
    assert run(["audit", "digging", "--path", str(tmp_path / "packages")]) == 1
    text = capsys.readouterr().out
    assert "broken fact: action dig carries out `mark as dug_in`, against the-dug-in-are-rested" in text
    assert "1 `always` fact checked" in text
