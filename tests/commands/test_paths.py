"""Findings name files by paths that open from where the command runs."""

import re
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

LAYER = "layer: muddy\ntitle: Muddy\nkind: variant\non: [two_clans]\n"
RULE = 'rule no-crags [house] "None."\n  may_marsh forbidden\n'


@pytest.mark.parametrize(("place", "more"), [("", []), ("mine/muddy", ["--lines"]), ("elsewhere", [])])
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
