"""Query git about a folder, and read objects without a work tree.

A folder may be untrusted, with a manipulated `.git`: programs in its configuration (filters, file system monitors,
transports) are disabled for the queries of this module. `list_blobs` and `blob_contents` only read objects, for which
no setting runs a program, so that the configuration need not be inspected.
"""

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

# Settings that run a program: they are listed before each query, and overridden with empty values.
PROGRAMS = re.compile(
    r"filter\..*\.(clean|smudge|process|required)|core\.(fsmonitor|sshcommand|gitproxy)"
    r"|gpg\.(.*\.)?program",
    re.IGNORECASE | re.DOTALL,
)
# No fetching, no writing of the index, and literal paths.
QUIET = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
}
# Variables that git sets for hooks, which would select another repository.
LOCAL = frozenset(
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_DIR GIT_GRAFT_FILE"
    " GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX"
    " GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE".split()
)
# Modes of files in a tree, without links and submodules.
FILES = (b"100644", b"100755", b"100664")

HEAD = "HEAD"  # the last commit
# The number of digits of an id in a SHA-1 repository; others have SHA-256.
SHA1 = 40


class NotInGitError(Exception):
    """Git is not installed, or does not know the folder or the revision of a query."""


class _NoGitError(NotInGitError):
    """Git is not installed."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a commit, with the id of its content."""

    path: str
    id: str


def ask_git(folder: Path, *words: str) -> bytes:
    """Run a git command in a folder, and return its output."""
    return _run(folder, words, _switched_off(folder))


def repository_of(folder: Path) -> Path | None:
    """Return the repository that contains a resolved folder; None if there is none."""
    return next((place for place in (folder, *folder.parents) if is_repository(place)), None)


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the top of a repository."""
    git_path = folder / ".git"
    return git_path.is_file() or (git_path / "HEAD").exists()


def list_blobs(repository: Path, revision: str, folders: Iterable[Path]) -> list[Blob]:
    """Return the files of a commit below some folders of a repository, by reading objects only."""
    below = sorted({folder.relative_to(repository).as_posix() for folder in folders})
    words = ("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", f"{revision}^{{commit}}")
    # Without a path, the whole tree is listed.
    printed = _objects(repository, (*words, *(below if "." not in below else ())))
    found = []
    root = str(repository).rstrip("/")
    for line in filter(None, printed.split(b"\0")):
        facts, _, path = line.partition(b"\t")
        mode, _, blob = facts.split(b" ")
        if mode in FILES:
            found.append(Blob(f"{root}/{os.fsdecode(path)}", blob.decode("ascii")))
    return found


def blob_contents(repository: Path, blobs: Iterable[str]) -> dict[str, bytes]:
    """Return the contents of blobs by id, by reading objects only."""
    blob_ids = sorted(set(blobs))
    printed = (
        _objects(repository, ("cat-file", "--batch"), "".join(f"{each}\n" for each in blob_ids)) if blob_ids else b""
    )
    found, offset = {}, 0
    for each in blob_ids:
        end = printed.index(b"\n", offset)
        match printed[offset:end].split(b" "):
            case [_, b"blob", size]:
                found[each] = printed[end + 1 : end + 1 + int(size)]
                offset = end + 1 + int(size) + 1
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


def _objects(repository: Path, words: tuple[str, ...], input_text: str = "") -> bytes:
    # Otherwise git would search the parent folders if a `.git` is invalid.
    return _run(repository, words, {"GIT_CEILING_DIRECTORIES": str(repository.parent)}, input_text)


def _switched_off(folder: Path) -> Mapping[str, str]:
    """Return environment variables with settings that disable the programs in the configuration of a repository."""
    try:
        # Names are arbitrary bytes in git.
        listed = os.fsdecode(_run(folder, ("config", "--list", "--name-only", "-z"), {})).split("\0")
    except NotInGitError:
        listed = []
    programs = sorted(set(filter(PROGRAMS.fullmatch, listed)))
    settings = {"GIT_CONFIG_COUNT": str(len(programs))}
    for index, key in enumerate(programs):
        settings |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": ""}
    return settings


def _run(folder: Path, words: tuple[str, ...], settings: Mapping[str, str], input_text: str = "") -> bytes:
    environment = {**{name: value for name, value in os.environ.items() if name not in LOCAL}, **QUIET, **settings}
    try:
        run = subprocess.run(
            ["git", "-C", str(folder), *words],
            input=input_text.encode(),
            capture_output=True,
            check=False,
            env=environment,
        )
    except OSError:
        raise _NoGitError("git is not installed") from None
    if run.returncode:
        raise NotInGitError(run.stderr.decode("utf-8", "replace").strip())
    return run.stdout


def unknown_revision(folder: Path, failure: NotInGitError) -> str:
    """Return why a revision of a folder cannot be read, for a shallow clone with the command that completes it."""
    if isinstance(failure, _NoGitError):
        return "asks git, which is not installed"
    more = "; this clone is shallow, `git fetch --unshallow` brings the rest" if _is_shallow(folder) else ""
    return f"names no revision that git knows of {folder}{more}"


def _is_shallow(folder: Path) -> bool:
    try:
        return ask_git(folder, "rev-parse", "--is-shallow-repository").strip() == b"true"
    except NotInGitError:
        return False
