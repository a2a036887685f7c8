"""The rules of an earlier day, extracted from git.

In: folders of rules and a day. Out: folders with their contents at the end of that day. Only folders in git have
a history; of others the user has to keep a copy, and pass it by `--base-path`.
"""

import io
import re
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.system.errors import UsageError
from rulewright.system.git import NotInGitError, ask_git

DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def is_day(text: str) -> bool:
    """Return whether a text has the form of a day, such as 2026-11-20; `UsageError` if there is no such day."""
    if DAY.fullmatch(text) is None:
        return False
    if not is_date(text):
        raise UsageError(f"there is no day {text}")
    return True


def is_date(text: str) -> bool:
    """Return whether a text is a valid year, month or day."""
    if DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text + "2000-01-01"[len(text) :])
    except ValueError:
        return False
    return True


@contextmanager
def editions_of(day: str, folders: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield copies of folders with their contents at the end of a day; folders that did not exist are omitted."""
    with TemporaryDirectory(prefix="rulewright-") as place:
        found = [_edition_of(day, folder.resolve(), Path(place) / str(number)) for number, folder in enumerate(folders)]
        older = [folder for folder in found if folder is not None]
        if not older:
            raise UsageError(f"nothing of these rules is as old as {day}")
        yield older


def _edition_of(day: str, folder: Path, place: Path) -> Path | None:
    commit = _git(folder, "rev-list", "-1", f"--before={day} 23:59:59", "HEAD", "--", ".").decode().strip()
    if not commit:
        return None
    with tarfile.open(fileobj=io.BytesIO(_git(folder, "archive", "--format=tar", commit, "."))) as packed:
        for member in packed:
            content, path = packed.extractfile(member), place / member.name
            if content is not None and path.resolve().is_relative_to(place.resolve()):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
    return place


def _git(folder: Path, *words: str) -> bytes:
    try:
        return ask_git(folder, *words)
    except NotInGitError:
        raise UsageError(f"git keeps no older editions of {folder}, or is not here; {KEEP}") from None


KEEP = "name a folder that holds one with `--base-path`"
