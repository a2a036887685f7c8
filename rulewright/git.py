"""Ask git about a folder, and read what it keeps of files without their work tree.

A folder may be a stranger's, with a `.git` of his making: what its configuration would have git run (filters of files,
a monitor of the file system, transports) is switched off for what is asked here, which reads and runs nothing. `listed`
and `blob_contents` read objects alone: there no setting names a program, and none has to be looked up first.
"""

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

# Settings that name a program: read of the repository before each question, and set to nothing for it.
PROGRAMS = re.compile(
    r"filter\..*\.(clean|smudge|process|required)|core\.(fsmonitor|sshcommand|gitproxy)"
    r"|gpg\.(.*\.)?program",
    re.IGNORECASE | re.DOTALL,
)
# Nothing is fetched, no index is written, and a path is no pattern.
QUIET = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
}
# A hook has these set, to the repository that it was started for.
LOCAL = frozenset(
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_DIR GIT_GRAFT_FILE"
    " GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX"
    " GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE".split()
)
# Modes of files in a tree; links and repositories within this one have others.
FILES = (b"100644", b"100755", b"100664")

HEAD = "HEAD"  # the last commit
# Digits of an id in a repository of the usual format; in the other one it is a SHA-256.
SHA1 = 40


class NotInGitError(Exception):
    """Git is not installed, or does not know the folder or the revision that it is asked about."""


class NoGitError(NotInGitError):
    """Git is not installed."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file as a commit has it, by the id of what it holds."""

    path: Path
    id: str


def ask_git(folder: Path, *words: str) -> bytes:
    """Run a git command in a folder and give what it prints."""
    return _run(folder, words, _switched_off(folder))


def repository_of(folder: Path) -> Path | None:
    """Name the folder at or above a resolved one that has the repository; None if git keeps none of them."""
    for place in (folder, *folder.parents):
        kept = place / ".git"
        if kept.is_file() or (kept / "HEAD").exists():
            return place
    return None


def list_blobs(repository: Path, revision: str, folders: Iterable[Path]) -> list[Blob]:
    """List the files that a commit has below some folders of a repository; reads objects only."""
    below = sorted({folder.relative_to(repository).as_posix() for folder in folders})
    words = ("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", f"{revision}^{{commit}}")
    # Without a path it is all of it.
    printed = _objects(repository, (*words, *(below if "." not in below else ())))
    found = []
    for line in filter(None, printed.split(b"\0")):
        facts, _, path = line.partition(b"\t")
        mode, _, blob = facts.split(b" ")
        if mode in FILES:
            found.append(Blob(repository / os.fsdecode(path), blob.decode("ascii")))
    return found


def blob_contents(repository: Path, blobs: Iterable[str]) -> dict[str, bytes]:
    """Return what blobs hold, by their ids; reads objects only."""
    wanted = sorted(set(blobs))
    printed = _objects(repository, ("cat-file", "--batch"), "".join(f"{each}\n" for each in wanted)) if wanted else b""
    found, at = {}, 0
    for each in wanted:
        end = printed.index(b"\n", at)
        match printed[at:end].split(b" "):
            case [_, b"blob", size]:
                found[each] = printed[end + 1 : end + 1 + int(size)]
                at = end + 1 + int(size) + 1
            case _:
                raise NotInGitError(f"what the commit refers to is not in the repository: {each}")
    return found


def is_blob_of(blob: str, text: str) -> bool:
    """Return whether the id of a blob is that of a text."""
    content = text.encode("utf-8", "surrogatepass")
    hashed = hashlib.new("sha1" if len(blob) == SHA1 else "sha256", usedforsecurity=False)
    hashed.update(b"blob %d\0" % len(content))
    hashed.update(content)
    return hashed.hexdigest() == blob


def _objects(repository: Path, words: tuple[str, ...], given: str = "") -> bytes:
    # Else git would look further up where a `.git` is none.
    return _run(repository, words, {"GIT_CEILING_DIRECTORIES": str(repository.parent)}, given)


def _switched_off(folder: Path) -> Mapping[str, str]:
    """Return settings, as environment variables, under which git runs no program that a repository names."""
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


def _run(folder: Path, words: tuple[str, ...], settings: Mapping[str, str], given: str = "") -> bytes:
    environment = {**_surroundings(), **QUIET, **settings}
    try:
        run = subprocess.run(
            ["git", "-C", str(folder), *words], input=given.encode(), capture_output=True, check=False, env=environment
        )
    except OSError:
        raise NoGitError("git is not installed") from None
    if run.returncode:
        raise NotInGitError(run.stderr.decode("utf-8", "replace").strip())
    return run.stdout


def _surroundings() -> Mapping[str, str]:
    return {name: value for name, value in os.environ.items() if name not in LOCAL}


def unknown_revision(folder: Path, failure: NotInGitError) -> str:
    """Explain why a revision of a folder cannot be looked at; of a shallow clone also what brings the rest."""
    if isinstance(failure, NoGitError):
        return "asks git, which is not installed"
    more = "; this clone is shallow, `git fetch --unshallow` brings the rest" if _is_shallow(folder) else ""
    return f"names no revision that git knows of {folder}{more}"


def _is_shallow(folder: Path) -> bool:
    try:
        return ask_git(folder, "rev-parse", "--is-shallow-repository").strip() == b"true"
    except NotInGitError:
        return False
