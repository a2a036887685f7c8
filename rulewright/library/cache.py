"""Keep what was compiled, under the hash of everything it came from.

A key is a content hash, so an entry is never stale: changed sources have another key. An entry
is written beside its place and moved there in one step, so concurrent runs never see half of one.
Whatever is wrong with the folder, the answer is the same, only slower; `trouble` says what was wrong.

Entries are pickles: ten times faster to load than validated JSON. A pickle runs code, and so does generated code. Hence
an entry starts with a signature (HMAC-SHA256 of its name and of the rest) by a key that only this user can read, and
that lies elsewhere (user_key.py). What is signed otherwise is torn, edited or foreign: it is never unpickled, and is
removed. A folder that others may write to is not used at all.
"""

import atexit
import functools
import hashlib
import hmac
import io
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from compiler.source.garbage_collection import without_garbage_collection
from rulewright.atomic_files import prune_parts, save_bytes
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.user_key import refuse_if_shared, user_home, user_key

T = TypeVar("T")

DIGEST = hashlib.sha256().digest_size
SHARED = stat.S_IWGRP | stat.S_IWOTH
# What loading something raises that was written by a rulewright of another shape.
MISFITS = (pickle.UnpicklingError, AttributeError, ImportError, EOFError, IndexError, TypeError)


@dataclass(frozen=True, slots=True)
class CachePool:
    """Entries of one sort: how their files end, and how many of them are kept."""

    suffix: str
    kept: int


# A compiled stack is a few megabytes; editing sessions leave one entry a save behind.
STACKS = CachePool(".stack", 60)
# That a card is sound takes no room.
SOUND_CARDS = CachePool(".card", 500)
# Compiled stacks that stay in memory, as many as on the disk: they share most of what they are made of, and to write
# one down during an edit takes three times as long as to compile it.
AT_HAND = STACKS.kept


def cache_folder() -> Path:
    """Name the user's cache folder: `RULEWRIGHT_CACHE`, else where the system wants caches."""
    if named := os.environ.get("RULEWRIGHT_CACHE"):
        return Path(named)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or user_home()) / "rulewright" / "cache"
        if sys.platform == "darwin":
            return user_home() / "Library" / "Caches" / "rulewright"
        return Path(os.environ.get("XDG_CACHE_HOME") or user_home() / ".cache") / "rulewright"
    except OSError:  # Nothing can be kept for a user without a home; `own_folder` says so.
        return Path(tempfile.gettempdir()) / "rulewright"


def cache_key(*parts: bytes) -> str:
    """Hash the parts so that no two lists of parts share a key."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def compiler_stamp(*parts: str) -> bytes:
    """Return a stamp of this compiler: its files and schemas by size and time, and the Python that runs it.

    `parts` are packages or folders of them, such as "compiler" and "runtime/graph".

    Sizes and times, not contents: reading the compiler to find out that it is unchanged would
    cost more than it saves. It does not change while it runs.
    """
    packages = Path(__file__).resolve().parents[2]
    return _stamp((*(packages / part for part in parts), rules_folder() / "schemas"))


@functools.cache
def _stamp(folders: tuple[Path, ...]) -> bytes:
    facts = [sys.version]
    for directory in folders:
        for file in sorted(
            (
                *directory.rglob("*.py"),
                *directory.rglob("*.lark"),
                *directory.rglob("*.json"),
                *directory.rglob("*.wat"),
            )
        ):
            found = file.stat()
            facts.append(f"{file.relative_to(directory)} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(facts).encode()


def remember(
    name: str, make: Callable[[], T], worth: Callable[[T], bool] = lambda _: True, where: CachePool = STACKS
) -> T:
    """Return what is kept under `name`; else make it and, if it is worth keeping, keep it."""
    try:
        place = own_folder() / f"{name}{where.suffix}"
    except OSError:
        return make()
    found, kept = _read(place)
    if found:
        return kept  # type: ignore[return-value]  # the key names its type too
    made = make()
    if worth(made):
        _keep(place, made, where)
    return made


def remember_in_memory(name: str, make: Callable[[], T], worth: Callable[[T], bool]) -> T:
    """Remember what a program may ask for again: it stays in memory, and is written down when there is time.

    That is when the program ends, or hands work to others (`write_down`): who waits for an answer does not wait for
    the disk.
    """
    try:
        place = own_folder() / f"{name}{STACKS.suffix}"
    except OSError:
        return make()
    if place in _at_hand:
        _at_hand[place] = _at_hand.pop(place)  # What was used last comes last.
        return _at_hand[place]  # type: ignore[no-any-return]  # the key names its type too
    found, kept = _read(place)
    made: T = kept if found else make()  # type: ignore[assignment]  # as above
    if found or worth(made):
        _at_hand[place] = made
        if not found:
            _unwritten[place] = made
        while len(_at_hand) > AT_HAND:
            oldest = next(iter(_at_hand))
            _write_entry(oldest)
            del _at_hand[oldest]
    return made


_at_hand: dict[Path, Any] = {}
_unwritten: dict[Path, object] = {}


@atexit.register
def write_down() -> None:
    """Write what is only in memory so far."""
    for place in sorted(_unwritten):
        _write_entry(place)


def forget_unwritten() -> None:
    """Write nothing of what is only in memory so far: another process has written it."""
    _unwritten.clear()


def _write_entry(place: Path) -> None:
    if place in _unwritten:
        _keep(place, _unwritten.pop(place), STACKS)


def get(name: str, where: CachePool) -> object:
    """Return what is kept under a name, None if nothing is."""
    try:
        return _read(own_folder() / f"{name}{where.suffix}")[1]
    except OSError:
        return None


def put(name: str, made: object, where: CachePool) -> None:
    """Keep something under a name, whatever was there."""
    with suppress(OSError):
        _keep(own_folder() / f"{name}{where.suffix}", made, where)


def get_text(name: str, where: CachePool) -> str | None:
    """Return the text that is kept under a name, None if none is: an entry that holds data and no objects."""
    with suppress(OSError):
        content = _signed(own_folder() / f"{name}{where.suffix}")
        return None if content is None else str(content, "utf-8")
    return None


def put_text(name: str, text: str, where: CachePool) -> None:
    """Keep a text under a name, whatever was there."""
    try:
        _write(own_folder() / f"{name}{where.suffix}", text.encode(), where)
    except OSError as error:
        _note(error)


def _keep(place: Path, made: object, where: CachePool) -> None:
    try:
        with suppress(RecursionError):  # What is nested too deep to pickle is compiled again.
            _write(place, _pickled(made), where)
    except OSError as error:
        _note(error)


def own_folder() -> Path:
    """Make the folder; `PermissionError` for one that others may write to, `OSError` if nothing can be kept at all."""
    try:
        directory = cache_folder()
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        refuse_if_shared(directory.stat(), directory, SHARED)
        user_key()
    except OSError as error:
        _note(error)
        raise
    return directory


_troubles: list[str] = []


def _note(error: OSError) -> None:
    if not _troubles:
        _troubles.append(f"{error.filename}: {error.strerror}")


def failure_text() -> str:
    """Explain why things were not kept for the next time; "" if all were."""
    return _troubles[0] if _troubles else ""


def _signature(place: Path, content: memoryview | bytes) -> bytes:
    """Sign an entry under its name: no other can be put in its place."""
    signing = hmac.new(user_key(), place.name.encode() + b"\0", "sha256")
    signing.update(content)
    return signing.digest()


def _read(place: Path) -> tuple[bool, object]:
    """Load an entry that this user wrote; remove any other."""
    content = _signed(place)
    if content is None:
        return False, None
    try:
        return True, unpickle(content)
    except MISFITS:  # Written by a rulewright of another shape with the same stamp.
        _remove(place)
        return False, None


def _signed(place: Path) -> memoryview | None:
    """Read an entry that this user wrote, without its signature; remove any other."""
    try:
        content = place.read_bytes()
    except OSError:
        return None
    rest = memoryview(content)[DIGEST:]
    if not hmac.compare_digest(_signature(place, rest), content[:DIGEST]):
        _remove(place)
        return None
    with suppress(OSError):
        os.utime(place)  # Lately used is kept longest.
    return rest


def _remove(place: Path) -> None:
    with suppress(OSError):
        place.unlink()


def _write(place: Path, content: bytes, where: CachePool) -> None:
    """Put an entry in place in one step, then drop the ones longest unused, and parts left by who was stopped."""
    save_bytes(place, _signature(place, content) + content, mode=0o600)
    prune_parts(place.parent)
    _prune(place.parent, where)


def unpickle(content: bytes | memoryview) -> Any:
    """Make objects again, without a search for garbage among them every few hundred."""
    with without_garbage_collection():
        return pickle.loads(content)


class _Pickler(pickle.Pickler):
    """Writes a frozen node as a call of its class; what dataclasses do by themselves loads four times slower."""

    _parts: ClassVar[dict[type, Callable[[object], tuple[object, ...]] | None]] = {}

    def reducer_override(self, node: object) -> Any:
        """Return how an object is made again."""
        kind = type(node)
        if kind not in self._parts:
            self._parts[kind] = _parts_of(kind)
        parts = self._parts[kind]
        return NotImplemented if parts is None else (kind, parts(node))


def _parts_of(kind: type) -> Callable[[object], tuple[object, ...]] | None:
    """Make what gives the fields of a node that is made again by a call of its class; None for anything else."""
    if not is_dataclass(kind) or any(not field.init or field.kw_only for field in fields(kind)):
        return None
    match [field.name for field in fields(kind)]:
        case []:
            return lambda _: ()
        case [only]:
            return lambda node: (getattr(node, only),)
        case names:
            return attrgetter(*names)


def pickle_value(made: object) -> bytes | None:
    """Write an object down; None if it is nested too deep for that."""
    try:
        return _pickled(made)
    except RecursionError:
        return None


def _pickled(made: object) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(made)
    return buffer.getvalue()


def _prune(directory: Path, where: CachePool) -> None:
    """Keep the entries used last; others may be pruning at the same time."""
    ages: list[tuple[float, Path]] = []
    for file in directory.glob(f"*{where.suffix}"):
        with suppress(OSError):
            ages.append((file.stat().st_mtime, file))
    for _, file in sorted(ages, reverse=True)[where.kept :]:
        with suppress(OSError):
            file.unlink()
