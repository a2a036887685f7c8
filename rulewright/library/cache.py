"""Keep what was compiled, under the hash of everything it came from.

A key is a content hash, so an entry is never stale: changed sources have another key. An entry
is written beside its place and moved there in one step, so concurrent runs never see half of one;
it starts with the hash of the rest, so a torn or edited file is noticed, removed and made again.
Whatever is wrong with the folder, the answer is the same, only slower.

Entries are pickles: ten times faster to load than validated JSON. A pickle runs code, hence the folder
belongs to the user alone, and one that somebody else could have written to is not used.
"""

import atexit
import functools
import hashlib
import io
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from compiler.source.uncollected import uncollected

T = TypeVar("T")

DIGEST = hashlib.sha256().digest_size
# What loading something raises that was written by a rulewright of another shape.
MISFITS = (pickle.UnpicklingError, AttributeError, ImportError, EOFError, IndexError, TypeError)


@dataclass(frozen=True, slots=True)
class Where:
    """Entries of one sort: how their files end, and how many of them are kept."""

    suffix: str
    kept: int


# A compiled stack is a few megabytes; editing sessions leave one entry a save behind.
STACKS = Where(".stack", 60)
# That a card is sound takes no room.
VERDICTS = Where(".card", 500)
# Compiled stacks that stay in memory, as many as on the disk: they share most of what they are made of, and to write
# one down while somebody waits takes three times as long as to compile it.
AT_HAND = STACKS.kept


def folder() -> Path:
    """Name the user's cache folder: `RULEWRIGHT_CACHE`, else where the system wants caches."""
    if named := os.environ.get("RULEWRIGHT_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "rulewright" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rulewright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulewright"


def key(*parts: bytes) -> str:
    """Hash the parts so that no two lists of parts share a key."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def compiler_stamp(folders: Iterable[Path]) -> bytes:
    """Tell this compiler from every other: its files by size and time, and the Python that runs it.

    Sizes and times, not contents: reading the compiler to find out that it is unchanged would
    cost more than it saves. It does not change while it runs.
    """
    return _stamp(tuple(folders))


@functools.cache
def _stamp(folders: tuple[Path, ...]) -> bytes:
    facts = [sys.version]
    for house in folders:
        for file in sorted((*house.rglob("*.py"), *house.rglob("*.lark"), *house.rglob("*.json"))):
            found = file.stat()
            facts.append(f"{file.relative_to(house)} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(facts).encode()


def remember(name: str, make: Callable[[], T], worth: Callable[[T], bool] = lambda _: True, where: Where = STACKS) -> T:
    """Return what is kept under `name`; else make it and, if it is worth keeping, keep it."""
    try:
        place = _opened() / f"{name}{where.suffix}"
    except OSError:
        return make()
    found, kept = _read(place)
    if found:
        return kept  # type: ignore[return-value]  # the key names its type too
    made = make()
    if worth(made):
        _keep(place, made, where)
    return made


def have_at_hand(name: str, make: Callable[[], T], worth: Callable[[T], bool]) -> T:
    """Remember what a program may ask for again: it stays in memory, and is written down when there is time.

    That is when the program ends, or hands work to others (`write_down`): who waits for an answer does not wait for
    the disk.
    """
    try:
        place = _opened() / f"{name}{STACKS.suffix}"
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
            _owed[place] = made
        while len(_at_hand) > AT_HAND:
            oldest = next(iter(_at_hand))
            _settle(oldest)
            del _at_hand[oldest]
    return made


_at_hand: dict[Path, Any] = {}
_owed: dict[Path, object] = {}


@atexit.register
def write_down() -> None:
    """Write what is only in memory so far."""
    for place in sorted(_owed):
        _settle(place)


def _settle(place: Path) -> None:
    if place in _owed:
        _keep(place, _owed.pop(place), STACKS)


def get(name: str, where: Where) -> object:
    """Give what is kept under a name, None if nothing is."""
    try:
        return _read(_opened() / f"{name}{where.suffix}")[1]
    except OSError:
        return None


def put(name: str, made: object, where: Where) -> None:
    """Keep something under a name, whatever was there."""
    with suppress(OSError):
        _keep(_opened() / f"{name}{where.suffix}", made, where)


def _keep(place: Path, made: object, where: Where) -> None:
    with suppress(OSError, RecursionError):  # What is nested too deep to pickle is compiled again.
        _write(place, made, where)


def _opened() -> Path:
    """Make the folder; refuse one that others may write to."""
    house = folder()
    house.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name != "nt":
        facts = house.stat()
        if facts.st_uid != os.getuid() or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(f"{house} is not the user's own")
    return house


def _read(place: Path) -> tuple[bool, object]:
    """Load an entry whose hash is right; remove one whose hash is not."""
    try:
        content = place.read_bytes()
    except OSError:
        return False, None
    if hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST]:
        with suppress(OSError):
            os.utime(place)  # Lately used is kept longest.
        try:
            return True, unpickled(content[DIGEST:])
        except MISFITS:
            pass  # Written by a rulewright of another shape with the same stamp.
    with suppress(OSError):
        place.unlink()
    return False, None


def _write(place: Path, made: object, where: Where) -> None:
    """Put an entry in place in one step, then drop the ones longest unused."""
    content = _pickled(made)
    handle, name = tempfile.mkstemp(dir=place.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(hashlib.sha256(content).digest())
            part.write(content)
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _prune(place.parent, where)


def unpickled(content: bytes) -> Any:
    """Make objects again, without a search for garbage among them every few hundred."""
    with uncollected():
        return pickle.loads(content)


class _Pickler(pickle.Pickler):
    """Writes a frozen node as a call of its class; what dataclasses do by themselves loads four times slower."""

    _parts: ClassVar[dict[type, Callable[[object], tuple[object, ...]] | None]] = {}

    def reducer_override(self, node: object) -> Any:
        """Say how an object is made again."""
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


def pickled(made: object) -> bytes | None:
    """Write an object down; None if it is nested too deep for that."""
    try:
        return _pickled(made)
    except RecursionError:
        return None


def _pickled(made: object) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(made)
    return buffer.getvalue()


def _prune(house: Path, where: Where) -> None:
    """Keep the entries used last; others may be pruning at the same time."""
    ages: list[tuple[float, Path]] = []
    for file in house.glob(f"*{where.suffix}"):
        with suppress(OSError):
            ages.append((file.stat().st_mtime, file))
    for _, file in sorted(ages, reverse=True)[where.kept :]:
        with suppress(OSError):
            file.unlink()
