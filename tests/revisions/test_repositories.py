"""The parts of a package that are compared where git keeps a part of it, elsewhere or in another form, and the cost."""

import subprocess
from pathlib import Path

import pytest

from compiler.source.package import discover
from rulewright import git
from rulewright.revisions.compare import Comparison, compare_with_revision
from tests.codes.committed import commit

MANIFEST = "layer: {}\ntitle: A\nkind: base\nplayable: yes\n"
ABOVE = "layer: {}\ntitle: B\nkind: optional\non: [hill]\n"
RULES = 'case hill "Up the hill" {}\nside north, south\n'


def _package(place: Path, name: str, rules: str = RULES, manifest: str = MANIFEST) -> Path:
    place.mkdir(parents=True)
    (place / "layer.yaml").write_text(manifest.format(name))
    (place / f"{name}.rules").write_text(rules)
    return place


def _compared(folder: Path, stack: str = "hill", revision: str = "") -> Comparison | None:
    return compare_with_revision(discover([folder])[0], stack, revision)


def _counts(found: Comparison | None) -> tuple[int, int, int]:
    assert found is not None
    return found.changed, found.new, found.removed


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the git commands that are started."""
    commands: list[str] = []

    class Noting(subprocess.Popen[bytes]):
        def __init__(self, words: list[str], *more: object, **named: object) -> None:
            commands.append(words[3])
            super().__init__(words, *more, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", Noting)
    return commands


def test_two_processes_for_any_number_of_layers(tmp_path: Path, started: list[str]) -> None:
    """A start costs the more, the more this process has read: git is asked for names once, for texts once."""
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
    """They are no difference, and nothing is asked for because of them."""
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


def test_ids_of_the_other_format(tmp_path: Path, started: list[str]) -> None:
    place = _package(tmp_path / "hill", "hill")
    git.ask_git(place, "init", "-q", "--object-format=sha256")
    commit(place)
    started.clear()
    assert _counts(_compared(place)) == (0, 0, 0)
    assert started == ["ls-tree"]
    (place / "hill.rules").write_text(RULES.replace("Up", "Down"))
    assert _counts(_compared(place)) == (1, 0, 0)


def test_layers_that_git_does_not_keep_are_named(tmp_path: Path) -> None:
    """Installed games are not kept, nor is a layer that was begun today; an option of the user's own may be."""
    _package(tmp_path / "hill", "hill")
    own_package = _package(tmp_path / "own", "own", 'case hill "Up" {}\n', ABOVE)
    commit(own_package)
    (own_package / "own.rules").write_text('case hill "Down" {}\n')
    found = _compared(tmp_path, "hill+own")
    assert _counts(found) == (1, 0, 0)
    assert found
    assert found.absent_layers == ("hill",)
    assert "nor what git has no HEAD of: hill" in found.summary()
    assert _compared(tmp_path, "hill") is None

    commit(tmp_path / "own")
    _package(own_package / "late", "late", 'case hill "Late" {}\n', ABOVE)
    found = _compared(tmp_path, "hill+own+late")
    assert _counts(found) == (0, 0, 0)
    assert found
    assert found.absent_layers == ("hill", "late")


def test_a_file_that_is_gone_belongs_to_the_layer_around_it(tmp_path: Path) -> None:
    _package(tmp_path / "hill", "hill")
    inner = _package(tmp_path / "hill" / "inner", "inner", 'case hill "Up" {}\n', ABOVE)
    (inner / "more.rules").write_text('case hill "More" {}\ncase slope "A slope" {}\n')
    commit(tmp_path / "hill")
    (inner / "more.rules").unlink()
    assert _counts(_compared(tmp_path)) == (0, 0, 0)
    assert _counts(_compared(tmp_path, "hill+inner")) == (0, 0, 2)


def test_a_link_within_a_package(tmp_path: Path) -> None:
    place = _package(tmp_path / "hill", "hill")
    (place / "hill.rules").rename(place / "text")
    (place / "text").rename(place / "shared.rules")
    (place / "linked.rules").symlink_to("shared.rules")
    commit(place)
    assert _counts(_compared(place)) == (0, 0, 0)


def test_what_a_hook_has_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git tells its hooks by the environment which repository they are for; here a folder is asked about."""
    place = _package(tmp_path / "hill", "hill")
    commit(place)
    for name, value in (("GIT_DIR", ".git"), ("GIT_INDEX_FILE", "/nowhere"), ("GIT_PREFIX", "sub/")):
        monkeypatch.setenv(name, value)
    assert _counts(_compared(place, revision="HEAD")) == (0, 0, 0)


def test_a_folder_named_like_a_repository(tmp_path: Path) -> None:
    """Neither an empty `.git` nor one of which nothing is left is taken for a repository without these files."""
    commit(_package(tmp_path / "hill", "hill").parent)
    (tmp_path / "hill" / ".git").mkdir()
    assert git.repository_of(tmp_path / "hill") == tmp_path
    (tmp_path / "hill" / ".git" / "HEAD").write_text("nothing")
    assert _compared(tmp_path) is None


def test_a_revision_is_no_option(tmp_path: Path) -> None:
    place = _package(tmp_path / "hill", "hill")
    commit(place)
    for revision in ("--output=x", "-h", "HEAD:hill.rules", "nonesuch"):
        with pytest.raises(Exception, match="names no revision"):
            _compared(place, revision=revision)
    assert sorted(each.name for each in place.iterdir()) == [".git", "hill.rules", "layer.yaml"]
