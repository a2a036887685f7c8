"""Write files and folders so that a concurrent reader finds the old one or the new one, whole.

A file is written beside its place and moved there in one step; a folder likewise. What breaks off leaves the place as
it was, and a part beside it whose name begins with a dot and ends with `.part`; the next write there takes parts away
that have not been written to for an hour. Every `OSError` that comes out of here names the file that was to be written,
also where the system does not, as when the disk is full.
"""

import ctypes
import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from rulewright.errors import UsageError

PART = ".part"
# Seconds after which a part counts as abandoned.
ABANDONED = 3600.0
# Others may put a folder in the same place at the same moment.
ATTEMPTS = 5


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Have every error of the system name the file that was to be written, or one in that folder, and no part of it."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str) and Path(error.filename).is_relative_to(path):
            raise
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def save_text(path: Path, text: str) -> None:
    """Write a text file as UTF-8 in one step, with the folders above it; what was there is replaced."""
    save_bytes(path, text.encode())


def save_inside(folder: Path, name: str, text: str) -> None:
    """Write a text file of a folder that others may have made; `UsageError` where a link in it leads elsewhere."""
    if not Path(os.path.realpath(folder / name)).is_relative_to(os.path.realpath(folder)):
        raise UsageError(f"{folder / name} is a link that leads out of {folder}; nothing is written there")
    save_text(folder / name, text)


def save_bytes(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file in one step, with the folders above it; what was there is replaced.

    A link keeps pointing at the file, and a file that is replaced keeps its permissions.
    """
    with errors_naming(path), _written(path, content, mode) as (part, place):
        if place.exists():
            if not os.access(place, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            part.chmod(place.stat().st_mode & 0o7777)
        part.replace(place)


def save_new(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file that must not be there yet, in one step; `FileExistsError` if it is."""
    with errors_naming(path), _written(path, content, mode) as (part, place):
        try:
            os.link(part, place)
        except FileExistsError:
            raise
        except OSError:  # Some file systems know no second name of a file.
            with place.open("xb") as file:
                file.write(content)
        part.unlink()


@contextmanager
def _written(path: Path, content: bytes, mode: int) -> Iterator[tuple[Path, Path]]:
    """Write a part beside a place; give both. A part that was not moved is taken away."""
    place = Path(os.path.realpath(path))
    make_folder(place.parent)
    prune_parts(place.parent, place.name)
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.", suffix=PART)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        part.chmod(mode & ~_mask())
        yield part, place
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder with those above it; a file in its place is no folder, and not "there already"."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def _mask() -> int:
    """Return the permissions that new files of this user do not have."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def prune_parts(folder: Path, name: str = "") -> None:
    """Take away the parts of a place, or all in a folder, that were left by writers who were stopped."""
    for part in folder.glob(f"{f'.{_literal(name)}.' if name else ''}*{PART}"):
        with suppress(OSError):
            if time.time() - part.lstat().st_mtime > ABANDONED:
                _remove(part)


def _literal(name: str) -> str:
    """Write a name so that `glob` takes none of its signs for a pattern."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


# ---------------------------------------------------------------- folders


def save_folder(out: Path, files: Mapping[str, bytes], owned: Collection[str] = ()) -> None:
    """Write a folder in one step. `owned` are files of an earlier writing, which go; anything else in it stays.

    Files are named by their paths below the folder. A file that stays cannot be replaced: `UsageError` names the first
    that stands in the way, before anything is written. Where the folder itself cannot be moved (it is the working
    directory, or the folder above is not ours), the files are written inside it first and then moved one by one.
    """
    place = out.resolve()
    with errors_naming(out), _alone_in(place.parent):
        _restore(place)
        for name in sorted(files):
            if name not in owned and os.path.lexists(place / name):
                raise UsageError(
                    f"{out / name} is there already and was not written by this command; move it away first"
                )
        if not place.exists():
            _moved(place, lambda beside: _fill(beside, files, out))
        elif _may_move(place):
            _moved(place, lambda beside: _fill_and_keep(place, beside, (files, owned), out))
        else:
            _replace_inside(place, files, owned, out)


@contextmanager
def _alone_in(parent: Path) -> Iterator[None]:
    """Wait while another process replaces a folder in this one; without a lock of the system the moves are repeated."""
    make_folder(parent)
    if sys.platform == "win32":
        yield
        return
    import fcntl  # noqa: PLC0415 -- not on Windows

    handle = os.open(parent, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _may_move(place: Path) -> bool:
    """Return whether a folder can be moved: no mount, not around the working directory, and in a writable folder."""
    here = Path.cwd()
    return not (place == here or place in here.parents or place.is_mount()) and os.access(place.parent, os.W_OK)


def _moved(place: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder beside a place and move it there; what was there goes."""
    prune_parts(place.parent, place.name)
    beside = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}.", suffix=PART))
    try:
        fill(beside)
        beside.chmod(0o777 & ~_mask())
        if not (place.exists() and _exchanged(beside, place)):
            _moved_in_two_steps(beside, place)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step, which Linux can; return whether it was done."""
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return rename is not None and rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0


def _moved_in_two_steps(beside: Path, place: Path) -> None:
    """Move what is there aside, and the new folder to its place; `_restore` undoes the first step alone."""
    old = _old(place)
    for attempt in range(ATTEMPTS):
        try:
            if place.exists():
                place.replace(old)
            beside.replace(place)
            break
        except OSError:
            _restore(place)
            if attempt == ATTEMPTS - 1:
                raise
            if old.exists() and place.exists():  # Left by a process that has finished, or was stopped afterwards.
                shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _old(place: Path) -> Path:
    """Name where a folder waits while the new one takes its place: known, so that it is found again."""
    return place.parent / f".{place.name}.old"


def _restore(place: Path) -> None:
    """Put a folder back whose writer was stopped between the two moves."""
    old = _old(place)
    if old.is_dir() and not place.exists():
        with suppress(OSError):
            old.replace(place)


def _fill(folder: Path, files: Mapping[str, bytes], shown: Path) -> None:
    for name, content in files.items():
        with errors_naming(shown / name):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def _fill_and_keep(place: Path, beside: Path, new: tuple[Mapping[str, bytes], Collection[str]], shown: Path) -> None:
    """Fill the folder that takes the place of another, with what stays of that."""
    files, owned = new
    gone = {place / name for name in owned}

    def left(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder, name) in gone]

    shutil.copytree(place, beside, symlinks=True, ignore=left, copy_function=_second_name, dirs_exist_ok=True)
    _fill(beside, files, shown)
    for name in owned:
        for above in list(Path(name).parents)[:-1]:
            with suppress(OSError):  # Not empty, or not there.
                (beside / above).rmdir()


def _second_name(source: str, target: str) -> None:
    """Link a file that stays into the new folder; copy it where the file system has no hard links."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _replace_inside(place: Path, files: Mapping[str, bytes], owned: Collection[str], shown: Path) -> None:
    """Write everything inside the folder first, then move it file by file."""
    prune_parts(place, "new")
    beside = Path(tempfile.mkdtemp(dir=place, prefix=".new.", suffix=PART))
    try:
        _fill(beside, files, shown)
        for name in files:
            with errors_naming(shown / name):
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (beside / name).replace(place / name)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    for name in owned:
        file = place / name
        if name not in files and file.resolve().is_relative_to(place):
            file.unlink(missing_ok=True)
