"""A layer that forbids a question is told which steps have the same effect without asking it."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run


def test_steps_that_do_not_ask_a_forbidden_question_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["change", "long_frost", "stuck", "--forbid", "may_enter", "--why", "Nobody enters.", "--dry-run"]
    run([*arguments, "--dir", str(tmp_path), "--format", "json"])
    _assert_names_steps(json.loads(capsys.readouterr().out)["notes"])


def _assert_names_steps(notes: list[str]) -> None:
    [note] = notes
    assert note.startswith("stuck forbids `may_enter`; these steps do the same and do not ask it: ")
    assert "action entrain (asks may_entrain)" in note
    assert "resolution step_back (asks may_retreat)" in note
    assert "march" not in note


def test_check_names_them_for_a_layer_written_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "stuck"
    folder.mkdir()
    (folder / "layer.yaml").write_text("layer: stuck\ntitle: Stuck\nkind: variant\non: [long_frost]\n")
    (folder / "stuck.rules").write_text('rule stuck [house] "Nobody goes anywhere."\n  may_enter forbidden\n')
    run(["check", "stuck", "--path", str(tmp_path), "--alone", "--format", "json"])
    _assert_names_steps(json.loads(capsys.readouterr().out)["notes"])
