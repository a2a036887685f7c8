"""`fmt` changes white space only, is idempotent, and does not write files that do not parse."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

Capture = pytest.CaptureFixture[str]

UGLY = 'rule   a "A."  cost is 1   # one\n'
TIDY = 'rule a "A."\n  cost is 1  # one\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with an unformatted file, a formatted one and a file that is no rules."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ugly.rules").write_text(UGLY)
    (tmp_path / "rules" / "tidy.rules").write_text(TIDY)
    (tmp_path / "rules" / "layer.yaml").write_text("layer:   x\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder(here: Path, capsys: Capture) -> None:
    (here / "rules" / "ugly.rules").chmod(0o640)
    assert run(["fmt", "rules"]) == 0
    assert capsys.readouterr().out == "formatted rules/ugly.rules\n1 of 2 files changed\n"
    assert (here / "rules" / "ugly.rules").read_text() == TIDY
    assert (here / "rules" / "ugly.rules").stat().st_mode & 0o777 == 0o640
    assert (here / "rules" / "layer.yaml").read_text() == "layer:   x\n"
    assert [file.name for file in (here / "rules").iterdir() if file.name.startswith(".")] == []
    assert run(["fmt", "rules", "--check"]) == 0


def test_check_changes_nothing(here: Path, capsys: Capture) -> None:
    assert run(["fmt", "--check", "rules", "rules/ugly.rules", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "files": 2,
        "changed": ["rules/ugly.rules"],
        "errors": 0,
        "warnings": 0,
        "diagnostics": [],
    }
    assert (here / "rules" / "ugly.rules").read_text() == UGLY


def test_files_that_do_not_parse_are_not_changed(here: Path, capsys: Capture) -> None:
    broken = UGLY + "rule b cost is\n"
    (here / "rules" / "broken.rules").write_text(broken)
    (here / "rules" / "bytes.rules").write_bytes(b"\xff\xfe\x00")
    assert run(["fmt", "rules"]) == 1
    printed = capsys.readouterr().out
    assert "rules/broken.rules:2" in printed
    assert "rules/bytes.rules:1" in printed
    assert (here / "rules" / "broken.rules").read_text() == broken
    assert (here / "rules" / "ugly.rules").read_text() == TIDY


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("path", ["nowhere", "rules/layer.yaml"])
def test_paths_that_are_no_rules_are_refused(path: str, capsys: Capture) -> None:
    assert run(["fmt", path]) == 2
    assert path in capsys.readouterr().err


def test_a_folder_without_write_permission_is_reported(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(dir: Path, prefix: str, suffix: str) -> tuple[int, str]:  # noqa: A002 -- as tempfile names it
        raise PermissionError(13, "Permission denied", f"{dir}/{prefix}x8_{suffix}")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert run(["fmt", "rules/ugly.rules"]) == 2
    assert capsys.readouterr().err == "error: rules/ugly.rules: Permission denied\n"
    assert (here / "rules" / "ugly.rules").read_text() == UGLY
