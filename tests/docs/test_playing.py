"""The session in docs/playing.md is the output for its input."""

import re
from io import StringIO
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
PROMPT = "the Northers> "


def block(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found[-1])


def test_the_session(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = block("session").splitlines()
    typed = [line.partition(PROMPT)[2] for line in lines if PROMPT in line]
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(typed) + "\n"))
    file = tmp_path / "a.trial"
    assert run(f"play before_the_tide --players human,greedy --record {file}".split()) == 0
    error_output = capsys.readouterr().err.splitlines()
    assert len(typed) > 3
    assert [line for line in lines if line not in error_output] == []
