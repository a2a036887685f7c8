"""Ask git about a folder.

A folder may be a stranger's, with a `.git` of his making: what its configuration would have git run (filters of files,
a monitor of the file system, transports) is switched off for what is asked here, which reads and runs nothing.
"""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

# Settings that name a program: read of the repository before each question, and set to nothing for it.
PROGRAMS = re.compile(
    r"filter\..*\.(clean|smudge|process|required)|core\.(fsmonitor|sshcommand|gitproxy)"
    r"|gpg\.(.*\.)?program",
    re.IGNORECASE | re.DOTALL,
)
# Nothing is fetched, and no index is written.
QUIET = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


class NotInGitError(Exception):
    """Git is not installed, or does not know the folder or the revision that it is asked about."""


def ask_git(folder: Path, *words: str) -> bytes:
    """Run a git command in a folder and give what it prints."""
    return _run(folder, words, _switched_off(folder))


def _switched_off(folder: Path) -> Mapping[str, str]:
    """Give settings, by way of the environment, under which git runs no program that a repository names."""
    try:
        # Names are bytes to git, whatever they spell.
        listed = os.fsdecode(_run(folder, ("config", "--list", "--name-only", "-z"), {})).split("\0")
    except NotInGitError:
        listed = []
    programs = sorted(set(filter(PROGRAMS.fullmatch, listed)))
    settings = {"GIT_CONFIG_COUNT": str(len(programs))}
    for at, key in enumerate(programs):
        settings |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": ""}
    return settings


def _run(folder: Path, words: tuple[str, ...], settings: Mapping[str, str]) -> bytes:
    environment = {**os.environ, **QUIET, **settings}
    try:
        run = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False, env=environment)
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
