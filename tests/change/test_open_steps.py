"""A change that forbids a question says which steps have the same effect without asking it."""

import json
from pathlib import Path

import pytest

from rulewright.cli.app import run


def test_steps_that_do_not_ask_a_forbidden_question_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["change", "long_frost", "stuck", "--forbid", "may_enter", "--why", "Nobody enters.", "--dry-run"]
    run([*arguments, "--dir", str(tmp_path), "--format", "json"])
    [note] = json.loads(capsys.readouterr().out)["notes"]
    assert note.startswith("these do the same and do not ask `may_enter`, so they stay as they are: ")
    assert "action entrain (asks may_entrain)" in note
    assert "resolution step_back (asks may_retreat)" in note
    assert "march" not in note
