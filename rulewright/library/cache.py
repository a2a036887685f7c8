"""A cache on disk of compilation results, by the hash of all inputs.

A key is a content hash, so that an entry is never stale: changed sources have another key. An entry is written to a
temporary file and renamed, so that concurrent runs never read a partial one. A failure of the folder only costs time
and does not change a result; `failure_text` describes it.

Entries are pickles, which load ten times faster than validated JSON. Since a pickle executes code, and so does
generated code, an entry starts with a signature (HMAC-SHA256 of its name and content) by a key that only this user can
read, and that is stored elsewhere (user_key.py). An entry with another signature is truncated, edited or foreign: it is
removed and never unpickled. A folder that others may write to is not used.
"""

import atexit
import functools
import hashlib
import hmac
import os
import stat
import struct
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time, time
from typing import Any, TypeVar

from rulewright.library.shipped_folders import rules_folder
from rulewright.system.atomic_files import prune_parts, save_bytes
from rulewright.system.pickling import MISFITS, pickle_value, unpickle_quickly
from rulewright.system.user_key import refuse_if_shared, user_home, user_key
from runtime.graph.frozen_dataclass import frozen_dataclass

T = TypeVar("T")

DIGEST = hashlib.sha256().digest_size
# Behind the signature stands what the entry cost to compute, in seconds of the processor.
COST = struct.Struct("<d")
SHARED = stat.S_IWGRP | stat.S_IWOTH


@frozen_dataclass
class CachePool:
    """Entries of one kind: the suffix of their files, and their largest number."""

    suffix: str
    capacity: int


# A compiled stack has a few megabytes; each save in an editing session adds an entry.
STACKS = CachePool(".stack", 60)
# What is computed from compiled stacks, such as proofs and differences: small, and most of it dear.
RESULTS = CachePool(".result", 120)
# An entry that took a second of the processor is removed as if it had been used so many seconds later.
SECONDS_KEPT_FOR_ONE = 3_600
# An entry of a sound card is nearly empty.
SOUND_CARDS = CachePool(".card", 500)
# Compiled stacks in memory, as many as on the disk: they share most of their nodes, and writing one during an edit
# takes three times as long as compiling it.
LARGEST_ENTRY = 500_000_000  # bytes; the largest of shipped games has some tens of millions
MOST_IN_MEMORY = STACKS.capacity


def cache_folder() -> Path:
    """Return the user's cache folder: `RULEWRIGHT_CACHE`, otherwise that of the platform's convention."""
    if named := os.environ.get("RULEWRIGHT_CACHE"):
        return Path(named)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or user_home()) / "rulewright" / "cache"
        if sys.platform == "darwin":
            return user_home() / "Library" / "Caches" / "rulewright"
        return Path(os.environ.get("XDG_CACHE_HOME") or user_home() / ".cache") / "rulewright"
    except OSError:  # A user without a home has no cache; `own_folder` reports it.
        return Path(tempfile.gettempdir()) / "rulewright"


def cache_key(*parts: bytes) -> str:
    """Return a hash of a list of parts, with their lengths to make the encoding injective."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def compiler_stamp(*parts: str) -> bytes:
    """Return a stamp of this compiler: its files and schemas by size and time, and the Python version.

    `parts` are packages or folders of them, such as "compiler" and "runtime/graph".

    Sizes and times are used since hashing the contents would cost more than the cache saves. The stamp is constant
    while the program runs.
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


def remember_result(
    name: str, make: Callable[[], T], worth: Callable[[T], bool] = lambda _: True, pool: CachePool = RESULTS
) -> T:
    """Return the entry of a name; if there is none, compute it, and store it with its cost if `worth` accepts it."""
    try:
        place = own_folder() / f"{name}{pool.suffix}"
    except OSError:
        return make()
    found, entry = _read(place)
    if found:
        return entry  # type: ignore[return-value]  # the key names its type too
    start = process_time()
    value = make()
    if worth(value):
        _keep(place, value, pool, process_time() - start)
    return value


def remember_deferred(name: str, make: Callable[[], T], worth: Callable[[T], bool]) -> T:
    """Return the entry of a name as `remember_result` does, but keep it in memory and postpone writing it.

    Entries are written at the end of the program, or before it starts workers (`write_pending`), so that no response
    waits for the disk.
    """
    try:
        place = own_folder() / f"{name}{STACKS.suffix}"
    except OSError:
        return make()
    if place in _in_memory:
        _in_memory[place] = _in_memory.pop(place)  # Ordered by last use.
        return _in_memory[place]  # type: ignore[no-any-return]  # the key names its type too
    found, entry = _read(place)
    value: T = entry if found else make()  # type: ignore[assignment]  # as above
    if found or worth(value):
        _in_memory[place] = value
        if not found:
            _unwritten[place] = value
        while len(_in_memory) > MOST_IN_MEMORY:
            oldest = next(iter(_in_memory))
            _write_entry(oldest)
            del _in_memory[oldest]
    return value


_in_memory: dict[Path, Any] = {}
_unwritten: dict[Path, object] = {}


@atexit.register
def write_pending() -> None:
    """Write the entries that are only in memory."""
    for place in sorted(_unwritten):
        _write_entry(place)


def forget_unwritten() -> None:
    """Discard the list of unwritten entries, which another process has written."""
    _unwritten.clear()


def _write_entry(place: Path) -> None:
    if place in _unwritten:
        _keep(place, _unwritten.pop(place), STACKS)


def cached_entry(name: str, pool: CachePool) -> object:
    """Return the entry of a name; None if there is none."""
    try:
        return _read(own_folder() / f"{name}{pool.suffix}")[1]
    except OSError:
        return None


def store_entry(name: str, value: object, pool: CachePool) -> None:
    """Store an entry under a name, replacing any other."""
    with suppress(OSError):
        _keep(own_folder() / f"{name}{pool.suffix}", value, pool)


def get_text(name: str, pool: CachePool) -> str | None:
    """Return the text entry of a name, which is not unpickled; None if there is none."""
    with suppress(OSError):
        content = _signed(own_folder() / f"{name}{pool.suffix}")
        return None if content is None else str(content, "utf-8")
    return None


def put_text(name: str, text: str, pool: CachePool) -> None:
    """Store a text under a name, replacing any other."""
    try:
        _write(own_folder() / f"{name}{pool.suffix}", text.encode(), pool)
    except OSError as error:
        _note(error)


def _keep(place: Path, value: object, pool: CachePool, cost: float = 0.0) -> None:
    try:
        content = pickle_value(value)
        if content is not None:  # Otherwise it is compiled again.
            _write(place, content, pool, cost)
    except OSError as error:
        _note(error)


def own_folder() -> Path:
    """Create the cache folder; `PermissionError` if others may write to it, `OSError` if it cannot be used."""
    try:
        directory = cache_folder()
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        refuse_if_shared(directory.stat(), directory, SHARED)
        user_key()
    except OSError as error:
        _note(error)
        raise
    return directory


def unusable_reason() -> str:
    """Return why the cache folder cannot be used; "" if it can."""
    try:
        own_folder()
    except OSError as error:
        return f"{error.filename}: {error.strerror}"
    return ""


_troubles: list[str] = []


def _note(error: OSError) -> None:
    if not _troubles:
        _troubles.append(f"{error.filename}: {error.strerror}")


def failure_text() -> str:
    """Return why entries could not be stored; "" if all were."""
    return _troubles[0] if _troubles else ""


def _signature(place: Path, content: memoryview | bytes) -> bytes:
    """Return the signature of an entry with its name, so that entries cannot be exchanged."""
    signing = hmac.new(user_key(), place.name.encode() + b"\0", "sha256")
    signing.update(content)
    return signing.digest()


def _read(place: Path) -> tuple[bool, object]:
    """Load an entry of this user, as (whether found, value); remove any other."""
    content = _signed(place)
    if content is None:
        return False, None
    try:
        return True, unpickle_quickly(content)
    except MISFITS:  # Written by other classes with the same stamp.
        _remove(place)
        return False, None


def _signed(place: Path) -> memoryview | None:
    """Return the content of an entry of this user, without its signature; remove any other."""
    try:
        facts = place.stat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST_ENTRY:
            _remove(place)  # A pipe would block, and a device has no end.
            return None
        content = place.read_bytes()
    except OSError:
        return None
    rest = memoryview(content)[DIGEST:]
    if not hmac.compare_digest(_signature(place, rest), content[:DIGEST]):
        _remove(place)
        return None
    _mark_used(place, COST.unpack_from(rest)[0])
    return rest[COST.size :]


def _mark_used(place: Path, cost: float) -> None:
    """Set the modification time, by which entries are ordered: the last use, and later for what was dear."""
    used = time() + cost * SECONDS_KEPT_FOR_ONE
    with suppress(OSError):
        os.utime(place, (used, used))


def _remove(place: Path) -> None:
    with suppress(OSError):
        place.unlink()


def _write(place: Path, content: bytes, pool: CachePool, cost: float = 0.0) -> None:
    """Write an entry atomically, then remove those beyond the limit, and parts of interrupted writes."""
    costed = COST.pack(cost) + content
    save_bytes(place, _signature(place, costed) + costed, mode=0o600)
    _mark_used(place, cost)
    prune_parts(place.parent)
    _prune(place.parent, pool)


def _prune(directory: Path, pool: CachePool) -> None:
    """Remove the entries beyond the limit that were cheap or not used for long; other processes may do so, too."""
    ages: list[tuple[float, Path]] = []
    for file in directory.glob(f"*{pool.suffix}"):
        with suppress(OSError):
            ages.append((file.stat().st_mtime, file))
    for _, file in sorted(ages, reverse=True)[pool.capacity :]:
        with suppress(OSError):
            file.unlink()
