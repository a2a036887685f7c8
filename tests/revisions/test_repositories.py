"""Comparison with git for packages that are only partly in git, moved or stored in other forms, and its processes."""

import subprocess
from pathlib import Path

import pytest

from compiler.source.package import discover_layers
from rulewright.checks.checking import check_since_revision
from rulewright.checks.revisions.revision_comparison import RevisionComparison, compare_with_revision
from rulewright.checks.revisions.revision_texts import read_revision, require_revision
from rulewright.system import git
from tests.codes.committed import commit

MANIFEST = "layer: {}\ntitle: A\nkind: base\nplayable: yes\n"
ABOVE = "layer: {}\ntitle: B\nkind: optional\non: [hill]\n"
RULES = 'case hill "Up the hill" {}\nside north, south\n'


def _package(place: Path, name: str, rules: str = RULES, manifest: str = MANIFEST) -> Path:
    place.mkdir(parents=True)
    (place / "layer.yaml").write_text(manifest.format(name))
    (place / f"{name}.rules").write_text(rules)
    return place


def _compared(folder: Path, stack: str = "hill") -> RevisionComparison | None:
    library = discover_layers([folder])[0]
    return compare_with_revision(library, stack, read_revision(library, git.HEAD))


def _counts(found: RevisionComparison | None) -> tuple[int, int, int]:
    assert found is not None
    return found.changed, found.new, found.removed


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the subcommands of git that are started."""
    commands: list[str] = []

    class Noting(subprocess.Popen[bytes]):
        def __init__(self, words: list[str], *more: object, **named: object) -> None:
            commands.append(words[3])
            super().__init__(words, *more, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", Noting)
    return commands


def test_two_processes_for_any_number_of_layers(tmp_path: Path, started: list[str]) -> None:
    """The cost of a start grows with the memory of this process: one process for names, one for texts."""
    for name in ("one", "two", "three"):
        _package(tmp_path / name, name, 'case hill "Up" {}\n', ABOVE)
    _package(tmp_path / "hill", "hill")
    commit(tmp_path)
    started.clear()
    assert _counts(_compared(tmp_path, "hill+one+two+three")) == (0, 0, 0)
    assert started == ["ls-tree"]
    for name in ("one", "two", "three"):
        (tmp_path / name / f"{name}.rules").write_text('case hill "Down" {}\n')
    started.clear()
    assert _counts(_compared(tmp_path, "hill+one+two+three")) == (3, 0, 0)
    assert started == ["ls-tree", "cat-file"]


def test_line_ends_of_a_work_tree(tmp_path: Path, started: list[str]) -> None:
    """Other line ends in the work tree are no difference, and no text is read because of them."""
    place = _package(tmp_path / "hill", "hill")
    commit(place)
    (place / "hill.rules").write_bytes(RULES.replace("\n", "\r\n").encode())
    started.clear()
    assert _counts(_compared(place)) == (0, 0, 0)
    assert started == ["ls-tree"]
    (place / "hill.rules").write_bytes(RULES.replace("Up", "Down").replace("\n", "\r\n").encode())
    assert _counts(_compared(place)) == (1, 0, 0)


def test_line_ends_of_a_commit(tmp_path: Path) -> None:
    place = _package(tmp_path / "hill", "hill")
    (place / "hill.rules").write_bytes(RULES.replace("\n", "\r\n").encode())
    commit(place)
    (place / "hill.rules").write_text(RULES)
    assert _counts(_compared(place)) == (0, 0, 0)


def test_repositories_with_sha256_ids(tmp_path: Path, started: list[str]) -> None:
    place = _package(tmp_path / "hill", "hill")
    git.ask_git(place, "init", "-q", "--object-format=sha256")
    commit(place)
    started.clear()
    assert _counts(_compared(place)) == (0, 0, 0)
    assert started == ["ls-tree"]
    (place / "hill.rules").write_text(RULES.replace("Up", "Down"))
    assert _counts(_compared(place)) == (1, 0, 0)


def test_layers_outside_of_git_are_listed(tmp_path: Path) -> None:
    """Installed games and new layers are not in git; an option of the user may be."""
    _package(tmp_path / "hill", "hill")
    own_package = _package(tmp_path / "own", "own", 'case hill "Up" {}\n', ABOVE)
    commit(own_package)
    (own_package / "own.rules").write_text('case hill "Down" {}\n')
    found = _compared(tmp_path, "hill+own")
    assert _counts(found) == (1, 0, 0)
    assert found
    assert found.absent_layers == ("hill",)
    assert found.record()["absent"] == ["hill"]
    assert _compared(tmp_path, "hill") is None

    commit(tmp_path / "own")
    _package(own_package / "late", "late", 'case hill "Late" {}\n', ABOVE)
    found = _compared(tmp_path, "hill+own+late")
    assert _counts(found) == (0, 0, 0)
    assert found
    assert found.absent_layers == ("hill", "late")


def test_a_removed_file_belongs_to_the_innermost_layer(tmp_path: Path) -> None:
    _package(tmp_path / "hill", "hill")
    inner = _package(tmp_path / "hill" / "inner", "inner", 'case hill "Up" {}\n', ABOVE)
    (inner / "more.rules").write_text('case hill "More" {}\ncase slope "A slope" {}\n')
    commit(tmp_path / "hill")
    (inner / "more.rules").unlink()
    assert _counts(_compared(tmp_path)) == (0, 0, 0)
    assert _counts(_compared(tmp_path, "hill+inner")) == (0, 0, 2)


def test_names_of_a_removed_file_are_one_finding(tmp_path: Path) -> None:
    folder = _package(tmp_path / "hill", "hill", RULES + "track game.gained: 0..3 steps = 0 steps\n")
    (folder / "words.rules").write_text("measure steps, paces\n")
    (folder / "walks.rules").write_text("track game.lost: 0..3 paces = 0 paces\n")
    commit(folder)
    (folder / "words.rules").unlink()
    (folder / "walks.rules").write_text("track game.lost: 0..3 pacs = 0 pacs\n")
    lost_file, misspelled = check_since_revision("hill", [tmp_path], 1000, None, "", None).diagnostics
    assert (lost_file.code, misspelled.code) == ("R0123", "R0201")
    assert "`steps`" in lost_file.message
    assert "`pacs`" in misspelled.message


def test_a_link_within_a_package(tmp_path: Path) -> None:
    place = _package(tmp_path / "hill", "hill")
    (place / "hill.rules").rename(place / "text")
    (place / "text").rename(place / "shared.rules")
    (place / "linked.rules").symlink_to("shared.rules")
    commit(place)
    assert _counts(_compared(place)) == (0, 0, 0)


def test_variables_of_a_git_hook_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git sets variables for its hooks that select a repository; the comparison must use the folder instead."""
    place = _package(tmp_path / "hill", "hill")
    commit(place)
    for name, value in (("GIT_DIR", ".git"), ("GIT_INDEX_FILE", "/nowhere"), ("GIT_PREFIX", "sub/")):
        monkeypatch.setenv(name, value)
    assert _counts(_compared(place)) == (0, 0, 0)


def test_an_empty_or_damaged_git_folder_is_no_repository(tmp_path: Path) -> None:
    """An empty `.git` is skipped for the repository above; with a damaged one there is no comparison."""
    commit(_package(tmp_path / "hill", "hill").parent)
    (tmp_path / "hill" / ".git").mkdir()
    assert git.repository_of(tmp_path / "hill") == tmp_path
    (tmp_path / "hill" / ".git" / "HEAD").write_text("nothing")
    assert _compared(tmp_path) is None


def test_a_revision_like_an_option_is_refused(tmp_path: Path) -> None:
    place = _package(tmp_path / "hill", "hill")
    commit(place)
    for revision in ("--output=x", "-h", "HEAD:hill.rules", "nonesuch"):
        with pytest.raises(Exception, match="names no revision"):
            require_revision([place], revision)
    assert sorted(each.name for each in place.iterdir()) == [".git", "hill.rules", "layer.yaml"]
