"""`rulewright change` writes a layer from options, and appends to it."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.sample import sampled


def run_change(tmp_path: Path, *words: str) -> int:
    return run(["change", "two_clans", "muddy", *words, "--dir", str(tmp_path), "--path", str(tmp_path)])


@sampled(0)
def test_changes_are_appended_to_a_new_layer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_change(tmp_path, "--cell", "orders_of", "drive", "3", "--why", "More of it") == 0
    folder = tmp_path / "muddy"
    before = (folder / "changes.rules").read_text()
    assert run_change(tmp_path, "--turns", "before_winter", "7", "--why", "It is longer") == 0
    assert run_change(tmp_path, "--forbid", "may_march", "--when", "to is crag", "--why", "Nobody can walk") == 0
    after = (folder / "changes.rules").read_text()
    assert after.startswith(before)
    assert "items: [MUDD.1, MUDD.2, MUDD.3]" in (folder / "sources.yaml").read_text()
    assert run(["test", "muddy", "--path", str(tmp_path)]) == 0
    assert "3 passed, 0 failed" in capsys.readouterr().out
    assert run(["fmt", "--check", str(folder)]) == 0
    assert run(["check", "two_clans+muddy", "--path", str(tmp_path)]) == 0


def test_a_dry_run_shows_the_text_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_change(tmp_path, "--turns", "before_winter", "7", "--why", "Longer", "--dry-run") == 0
    assert "turns: {expect: 6, now: 7}" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--cell", "orders_of", "drivee", "5", "--why", "x"], "did you mean `drive`"),
        (["--cell", "orders_of"], "CHART KEYS.. VALUE"),
        (["--turns", "before_winter", "many", "--why", "x"], "is no whole number"),
        (["--turns", "before_winter"], "write `--turns CARD NOW`"),
        (["--turns", "a", "--trait", "b"], "one change at a time"),
        (["drive"], "say what is changed: --cell, --number"),
        ([], "say what is changed: --cell, --number"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert run_change(tmp_path, *words) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert list(tmp_path.iterdir()) == []


def test_a_change_that_does_not_compile_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_change(tmp_path, "--printed", "guard", "strength", "9", "--why", "x") == 1
    assert "muddy/counters.yaml:5" in capsys.readouterr().out
    assert not (tmp_path / "muddy").exists()


def test_shipped_layers_are_not_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--cell", "orders_of", "drive", "3", "--why", "x", "--dir", str(tmp_path)]
    assert run(["change", "two_clans", "two_clans", *words]) == 2
    assert "comes with rulewright" in capsys.readouterr().err


def test_a_layer_beside_its_game_is_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is named by its folder, which the folder of packages contains."""
    monkeypatch.chdir(tmp_path)
    new_game("toy", tmp_path)
    for when in ("mover is tired", "mover.counter = cart"):
        words = ["--forbid", "may_enter", "--when", when, "--why", "Nobody may."]
        assert run(["change", "toy", "mine", *words, "--path", "."]) == 0
    assert (tmp_path / "mine" / "changes.rules").read_text().count("Nobody may.") == 2
