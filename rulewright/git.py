"""Ask git about a folder."""

import subprocess
from pathlib import Path


class NotInGitError(Exception):
    """Git is not installed, or does not know the folder or the revision that it is asked about."""


def ask_git(folder: Path, *words: str) -> bytes:
    """Run a git command in a folder and give what it prints."""
    try:
        run = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    except OSError:
        raise NotInGitError("git is not installed") from None
    if run.returncode:
        raise NotInGitError(run.stderr.decode("utf-8", "replace").strip())
    return run.stdout


def unknown_revision(folder: Path, failure: NotInGitError) -> str:
    """Say why a revision of a folder cannot be looked at; of a shallow clone also what brings the rest."""
    if "not installed" in str(failure):
        return "asks git, which is not installed"
    more = "; this clone is shallow, `git fetch --unshallow` brings the rest" if _is_shallow(folder) else ""
    return f"names no revision that git knows of {folder}{more}"


def _is_shallow(folder: Path) -> bool:
    try:
        return ask_git(folder, "rev-parse", "--is-shallow-repository").strip() == b"true"
    except NotInGitError:
        return False
