"""A foreign repository cannot make git run a program by its configuration, whatever command reads it."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.source.package import discover_layers
from rulewright.checks.revisions.revision_comparison import compare_with_revision
from rulewright.checks.revisions.revision_texts import read_revision, require_revision
from rulewright.library.editions import editions_of
from tests.codes.committed import commit

MANIFEST = "layer: hill\ntitle: Hill\nkind: base\nplayable: yes\n"
FILTERS = ("plain", "a=b", os.fsdecode(b"\xff"))


def _compared(folder: Path) -> object:
    library = discover_layers([folder])[0]
    return compare_with_revision(library, "hill", read_revision(library, "HEAD"))


ASKED: dict[str, Callable[[Path], object]] = {
    "check": _compared,
    "check --since": lambda folder: require_revision([folder], "HEAD"),
    "diff DAY": lambda folder: list(_opened(folder)),
}


def _opened(folder: Path) -> list[Path]:
    with editions_of("2099-01-01", [folder]) as found:
        return list(found)


def _git(folder: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False).stdout


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """Make a committed and then edited package, whose repository configures programs wherever git may run one."""
    folder, leaves_a_mark = tmp_path / "hill", f"touch '{tmp_path / 'mark'}'; cat"
    folder.mkdir()
    (folder / "layer.yaml").write_text(MANIFEST)
    (folder / "hill.rules").write_text("side north, south\n")
    commit(folder)
    attributes = ["*.rules diff=seen"]
    for number, name in enumerate(FILTERS):
        for does in ("clean", "smudge"):
            _git(folder, "config", f"filter.{name}.{does}", leaves_a_mark)
        attributes.append(f"*.{number} filter={name}")
    _git(folder, "config", "filter.all.clean", leaves_a_mark)
    _git(folder, "config", "filter.all.process", leaves_a_mark)
    _git(folder, "config", "diff.seen.textconv", leaves_a_mark)
    _git(folder, "config", "diff.seen.command", leaves_a_mark)
    _git(folder, "config", "core.fsmonitor", leaves_a_mark)
    attributes += ["*.rules filter=all", "*.yaml filter=a=b", ""]
    (folder / ".gitattributes").write_bytes(os.fsencode("\n".join(attributes)))
    for changed in ("hill.rules", "layer.yaml"):
        with (folder / changed).open("a") as file:
            file.write("\n")
    return folder


@pytest.fixture
def far(strange: Path) -> Path:
    """Make a repository with a missing blob, which git would fetch from a remote by a program."""
    leaves_a_mark = f"touch '{strange.parent / 'mark'}'"
    url = f"ext::sh -c {leaves_a_mark.replace(' ', '% ')}"
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "elsewhere"),
        ("remote.elsewhere.url", url),
        ("remote.elsewhere.promisor", "true"),
        ("remote.elsewhere.uploadpack", leaves_a_mark),
        ("core.alternateRefsCommand", leaves_a_mark),
        ("core.pager", leaves_a_mark),
        ("protocol.ext.allow", "always"),
    ):
        _git(strange, "config", key, value)
    blob = _git(strange, "rev-parse", "HEAD:hill.rules").decode().strip()
    blob_file = strange / ".git" / "objects" / blob[:2] / blob[2:]
    blob_file.chmod(0o600)
    blob_file.unlink()
    return strange


def test_plain_git_runs_the_configured_programs(strange: Path) -> None:
    """Otherwise `test_no_configured_program_runs` could not fail."""
    _git(strange, "diff")
    assert (strange.parent / "mark").exists()


def test_plain_git_fetches_the_missing_blob(far: Path) -> None:
    _git(far, "show", "HEAD:hill.rules")
    assert (far.parent / "mark").exists()


def test_a_missing_blob_is_not_fetched(far: Path) -> None:
    """A repository with a missing blob is not compared, and the report does not claim equality."""
    assert ASKED["check"](far) is None
    assert not (far.parent / "mark").exists()


@pytest.mark.parametrize("question", ASKED)
def test_no_configured_program_runs(strange: Path, question: str) -> None:
    ASKED[question](strange)
    assert not (strange.parent / "mark").exists()
