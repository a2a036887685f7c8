"""A failing example on a card has as its cause the line of the card that changed: a wrong fact or a wrong place."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from tests.revisions.test_changes import edit
from tests.toys.plain_game import plain_game

GOAL = 'example "the goal" on first_toy {\n  ask (scenario has goal and scenario.goal = B4) = yes\n}\n'
STANDS = 'example "who stands where" on first_toy {\n  ask {u.hex for u in all unit} = {A1, A2}\n}\n'
PLACED = "placed: [{unit: runner, at: A1}, {unit: runner, at: %s}]"


def causes(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    run(["test", "toy", "--path", str(folder), "--format", "json"])
    return [cause for each in json.loads(capsys.readouterr().out)["failures"] for cause in each["causes"]]


def line_of(folder: Path, text: str) -> int:
    lines = (folder / "field.yaml").read_text().splitlines()
    return next(at for at, line in enumerate(lines, 1) if text in line)


def test_a_wrong_fact_is_the_cause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = plain_game("toy", tmp_path).folder
    (folder / "card.rules").write_text(GOAL)
    assert run(["check", "toy", "--path", str(folder), "--accept"]) == 0
    edit(folder, "field.yaml", "goal: B4", "goal: B3")
    assert {each["line"] for each in causes(folder, capsys)} == {line_of(folder, "goal: B3")}


def test_the_wrong_place_of_a_piece_is_the_cause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = plain_game("toy", tmp_path).folder
    (folder / "card.rules").write_text(STANDS)
    text = (folder / "field.yaml").read_text()
    forces = text[text.index("forces:") :]
    edit(folder, "field.yaml", forces, f"forces:\n  - side: north\n    {PLACED % 'A2'}\n")
    assert run(["check", "toy", "--path", str(folder), "--accept"]) == 0
    edit(folder, "field.yaml", PLACED % "A2", PLACED % "C2")
    assert [each["line"] for each in causes(folder, capsys)] == [line_of(folder, "at: C2")]
