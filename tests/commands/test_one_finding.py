"""One edit is one finding, where nothing but the rules as they stand is known."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from rulewright.starting import new_game
from tests.revisions.test_changes import edit

ENTRY = """equivalent:
  - in: "mark of action:march"
    was: "`mark as tired`"
    now: "nothing"
    why: "Nobody asks who is tired."
"""


def found(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    run(["check", "toy", "--path", str(folder), "--alone", "--format", "json"])
    return list(json.loads(capsys.readouterr().out)["diagnostics"])


def test_a_step_that_is_gone_leaves_an_entry_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = new_game("toy", tmp_path).folder
    with (folder / "layer.yaml").open("a") as manifest:
        manifest.write(ENTRY)
    assert found(folder, capsys) == []
    edit(folder, "playing.rules", "  if to is marsh { mark mover as tired }\n", "")
    [finding] = found(folder, capsys)
    assert finding["code"] == "R0510"
    assert {each["file"].rpartition("/")[2] for each in finding["spans"]} >= {"layer.yaml", "playing.rules"}
