"""Conditions of a change read the fields of a record that a question is asked about."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.toys.plain_game import plain_game

JOURNEYS = """\
record journey {walker: unit, goal: hex, by: side, secretly: yes_no, spare: 0..9, halt: hex?}
verdict may_travel(j: journey) [house] default allowed
  reads "{j} may be made" denied "{j} may not be made"
"""


@pytest.fixture
def forbid(tmp_path: Path) -> list[str]:
    """Write a game with a question about a record, and return the command that changes its answer."""
    plain_game("toy", tmp_path / "set")
    (tmp_path / "set" / "toy" / "journeys.rules").write_text(JOURNEYS)
    places = ["--path", str(tmp_path / "set"), "--dir", str(tmp_path)]
    return ["change", "toy", "stay", "--forbid", "may_travel", "--why", "No such journeys", *places]


def test_fields_of_a_record_are_read(forbid: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = ["j.walker is tired", "j.walker.side = north", "j.by != south", "not j.secretly"]
    code = run([*forbid, *(word for each in fields for word in ("--when", each))])
    assert code == 0, capsys.readouterr()
    assert f"when {' and '.join(fields)}" in " ".join((tmp_path / "stay" / "changes.rules").read_text().split())
