"""`check --watch` checks again after each change of files; a change lists its files once, after the last write."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.serve.cli.console import ExitCode
from rulewright.system.folder_monitor import FolderMonitor
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]


def watched(folder: Path, *steps: Callable[[], object]) -> FolderMonitor:
    """Watch a folder; each pause of the monitor runs the next step."""
    left = iter(steps)

    def pause(_: float) -> None:
        next(left, lambda: None)()

    return FolderMonitor([folder], pause)


def names(watch: FolderMonitor, count: int) -> list[tuple[str, ...]]:
    """Return the names of the files of the first changes, as many as counted."""
    return [tuple(Path(name).name for name in changed) for changed in islice(watch.changes(), count)]


def test_changed_new_and_deleted_files_are_named(tmp_path: Path) -> None:
    for name in ("a.rules", "b.yaml", "notes.txt"):
        (tmp_path / name).write_text("old")

    def new_folder() -> None:
        (tmp_path / "inner").mkdir()
        (tmp_path / "inner" / "c.rules").write_text("new")

    watch = watched(
        tmp_path,
        lambda: (tmp_path / "notes.txt").write_text("of no rules"),
        lambda: (tmp_path / "a.rules").write_text("longer"),
        lambda: None,
        new_folder,
        lambda: None,
        (tmp_path / "b.yaml").unlink,
    )
    assert names(watch, 3) == [("a.rules",), ("c.rules",), ("b.yaml",)]


def test_check_runs_again_after_each_change(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = new_game("toy", tmp_path).folder
    rules, manifest = folder / "moving.rules", folder / "layer.yaml"
    sound, named = rules.read_text(), manifest.read_text()

    def changes(_: FolderMonitor) -> Iterator[tuple[str, ...]]:
        rules.write_text(f"{sound}\nrule slip [house] 'A slip.' may_entr forbidden\n".replace("'", '"'))
        yield (str(rules),)
        rules.write_text(sound)
        yield (str(rules),)
        manifest.unlink()
        yield (str(manifest),)
        manifest.write_text(named)
        yield (str(manifest),)
        raise KeyboardInterrupt

    monkeypatch.setattr(FolderMonitor, "changes", changes)
    assert run(["check", str(folder), "--watch", "--format", "json"]) == ExitCode.DONE
    printed = capsys.readouterr()
    decoder, text, errors = json.JSONDecoder(), printed.out.strip(), []
    while text:
        data, end = decoder.raw_decode(text)
        errors.append(data["errors"])
        text = text[end:].strip()
    assert errors == [0, 1, 0, 0]
    assert "moving.rules changed" in printed.err
    assert "it has no layer.yaml" in printed.err
    assert "Traceback" not in printed.err


def test_findings_of_rules_are_printed_before_cards_are_checked(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_game("toy", tmp_path).folder
    rules = folder / "moving.rules"
    edited_rule = (
        '\nrule more [TOY.2] "Rest first." entry_cost is 9 MP exception to price-of-ground when mover is tired\n'
    )

    def changes(_: FolderMonitor) -> Iterator[tuple[str, ...]]:
        rules.write_text(rules.read_text() + edited_rule)
        yield (str(rules),)
        raise KeyboardInterrupt

    monkeypatch.setattr(FolderMonitor, "changes", changes)
    run(["check", str(folder), "--watch"])
    early = capsys.readouterr().err.partition("changed")[2]
    assert "so far; looking at situations and examples" in early
    assert "R0312" in early


def test_watch_and_accept_exclude_each_other(capsys: Capture) -> None:
    assert run(["check", "low_tide", "--watch", "--accept"]) == ExitCode.USAGE
    assert "exclude each other" in capsys.readouterr().err
