"""Findings name files by paths that open from where the command runs."""

import os
import re
import sys
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.new_packages import new_game

LAYER = "layer: muddy\ntitle: Muddy\nkind: variant\non: [two_clans]\n"
RULE = 'rule no-crags [house] "None."\n  may_marsh forbidden\n'


@pytest.mark.parametrize("more", [[], ["--lines"]])
@pytest.mark.parametrize("place", ["", "mine", "mine/muddy", "elsewhere"])
def test_a_finding_names_a_file_that_opens(
    place: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine" / "muddy"
    folder.mkdir(parents=True)
    (folder / "layer.yaml").write_text(LAYER)
    (folder / "own.rules").write_text(RULE)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / place)
    assert run(["check", "two_clans+muddy", "--path", str(tmp_path / "mine"), *more]) == 1
    (name,) = re.findall(r"(\S+own\.rules|own\.rules):2:3", capsys.readouterr().out)
    assert Path(name).samefile(folder / "own.rules")


# A folder name, or a part of a stack, whose byte is no text.
NO_TEXT = os.fsdecode(b"mi\xffne")


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names of files are text there")
@pytest.mark.parametrize("command", [["check"], ["test"], ["tree"]])
def test_a_folder_whose_name_is_no_text_is_read(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name is a part of reports and of hashes, which are UTF-8."""
    folder = new_game("toy", tmp_path).folder.rename(tmp_path / NO_TEXT)
    assert run([*command, str(folder)]) == 0
    assert "bug in rulewright" not in capsys.readouterr().err


def test_a_stack_whose_name_is_no_text_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", NO_TEXT]) == 2
    assert "there is no layer `mi?ne`" in capsys.readouterr().err
