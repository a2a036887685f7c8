"""Write files and folders atomically: a concurrent reader sees the old or the new version, completely.

A file is written to a temporary file beside its target, and renamed; a folder likewise. An interrupted write leaves the
target unchanged, and a part beside it whose name begins with a dot and ends with `.part`; the next write removes parts
that have not been modified for an hour. Every raised `OSError` has the name of the file to be written, also if the
system does not report it, as when the disk is full.
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
from pathlib import Path, PureWindowsPath

from rulewright.errors import UsageError

PART = ".part"
# The age in seconds of an abandoned part.
ABANDONED = 3600.0
# Retries, since another process may move a folder to the same place concurrently.
ATTEMPTS = 5


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Set the file name of every `OSError` to a file that is written or read, or one in that folder, not to a part."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str) and Path(error.filename).is_relative_to(path):
            raise
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def save_text(path: Path, text: str) -> None:
    """Write a text file as UTF-8 atomically, creating its parent folders; an existing file is replaced."""
    save_bytes(path, text.encode())


def save_inside(folder: Path, name: str, text: str) -> None:
    """Write a text file in an untrusted folder; `UsageError` if a link in it leads elsewhere."""
    if not Path(os.path.realpath(folder / name)).is_relative_to(os.path.realpath(folder)):
        raise UsageError(f"{folder / name} is a link that leads out of {folder}; nothing is written there")
    save_text(folder / name, text)


def save_bytes(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file atomically, creating its parent folders; an existing file is replaced.

    Links and the permissions of a replaced file are preserved.
    """
    with errors_naming(path), _written(path, content, mode) as (part, place):
        if place.exists():
            if not os.access(place, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            part.chmod(place.stat().st_mode & 0o7777)
        part.replace(place)


def save_new(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a new file atomically; `FileExistsError` if it exists."""
    with errors_naming(path), _written(path, content, mode) as (part, place):
        try:
            os.link(part, place)
        except FileExistsError:
            raise
        except OSError:  # Some file systems have no hard links.
            with place.open("xb") as file:
                file.write(content)
        part.unlink()


@contextmanager
def _written(path: Path, content: bytes, mode: int) -> Iterator[tuple[Path, Path]]:
    """Write a part beside a target, and yield both; a part that was not moved is removed afterwards."""
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
    """Create a folder with its parents; `NotADirectoryError` if a file has its name."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def _mask() -> int:
    """Return the umask of the process."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def prune_parts(folder: Path, name: str = "") -> None:
    """Remove the abandoned parts of a target, or all of a folder."""
    for part in folder.glob(f"{f'.{_literal(name)}.' if name else ''}*{PART}"):
        with suppress(OSError):
            if time.time() - part.lstat().st_mtime > ABANDONED:
                _remove(part)


def _literal(name: str) -> str:
    """Escape the pattern characters in a name for `glob`."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


# ---------------------------------------------------------------- folders


def save_folder(out: Path, files: Mapping[str, bytes], owned: Collection[str] = ()) -> None:
    """Write a folder atomically. `owned` are files of an earlier write, which are removed; other files are preserved.

    Files are named by their paths below the folder; `UsageError` for one that leads out of it. A preserved file cannot
    be replaced: `UsageError` reports the first conflict before anything is written. If the folder itself cannot be
    moved (it is the working directory, or its parent is not writable), the files are written inside it first and then
    moved one by one.
    """
    place = out.resolve()
    for name in (*files, *owned):
        if not is_below(name):
            raise UsageError(f"`{name}` leads out of {out}; nothing is written")
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


def is_below(name: str) -> bool:
    """Return whether a path is relative and leads to something below its folder, on any system."""
    return not (PureWindowsPath(name).anchor or {"", ".."} & {*PureWindowsPath(name).parts, name})


@contextmanager
def _alone_in(parent: Path) -> Iterator[None]:
    """Lock out other processes that replace folders in `parent`; without system locks, moves are retried."""
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
    """Return whether a folder can be moved: no mount, no ancestor of the working directory, in a writable folder."""
    working_folder = Path.cwd()
    return not (place == working_folder or place in working_folder.parents or place.is_mount()) and os.access(
        place.parent, os.W_OK
    )


def _moved(place: Path, fill: Callable[[Path], None]) -> None:
    """Write a folder beside a target and move it there; an existing folder is removed."""
    prune_parts(place.parent, place.name)
    new_folder = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}.", suffix=PART))
    try:
        fill(new_folder)
        new_folder.chmod(0o777 & ~_mask())
        if not (place.exists() and _exchanged(new_folder, place)):
            _moved_in_two_steps(new_folder, place)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)


def _exchanged(folder: Path, other: Path) -> bool:
    """Exchange two folders atomically, which only Linux supports; return whether it succeeded."""
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    directory, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return rename is not None and rename(directory, os.fsencode(folder), directory, os.fsencode(other), exchange) == 0


def _moved_in_two_steps(new_folder: Path, place: Path) -> None:
    """Move the existing folder aside, and the new folder to its place; `_restore` undoes an incomplete move."""
    old = _old(place)
    for attempt in range(ATTEMPTS):
        try:
            if place.exists():
                place.replace(old)
            new_folder.replace(place)
            break
        except OSError:
            _restore(place)
            if attempt == ATTEMPTS - 1:
                raise
            if old.exists() and place.exists():  # Left by a process that has finished, or was stopped afterwards.
                shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _old(place: Path) -> Path:
    """Return the temporary name of a folder that is being replaced, which is fixed, so that it can be restored."""
    return place.parent / f".{place.name}.old"


def _restore(place: Path) -> None:
    """Restore a folder whose writer was interrupted between the two moves."""
    old = _old(place)
    if old.is_dir() and not place.exists():
        with suppress(OSError):
            old.replace(place)


def _fill(folder: Path, files: Mapping[str, bytes], reported_folder: Path) -> None:
    for name, content in files.items():
        with errors_naming(reported_folder / name):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def _fill_and_keep(
    place: Path, new_folder: Path, new: tuple[Mapping[str, bytes], Collection[str]], reported_folder: Path
) -> None:
    """Write the new version of a folder, with the preserved files of the old one."""
    files, owned = new
    removed_paths = {place / name for name in owned}

    def removed_names(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder, name) in removed_paths]

    shutil.copytree(
        place, new_folder, symlinks=True, ignore=removed_names, copy_function=_second_name, dirs_exist_ok=True
    )
    _fill(new_folder, files, reported_folder)
    for name in owned:
        for above in list(Path(name).parents)[:-1]:
            with suppress(OSError):  # Not empty, or not there.
                (new_folder / above).rmdir()


def _second_name(source: str, target: str) -> None:
    """Link a preserved file into the new folder; copy it if the file system has no hard links."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _replace_inside(place: Path, files: Mapping[str, bytes], owned: Collection[str], reported_folder: Path) -> None:
    """Write all files to a temporary folder inside the target, then move them one by one."""
    prune_parts(place, "new")
    new_folder = Path(tempfile.mkdtemp(dir=place, prefix=".new.", suffix=PART))
    try:
        _fill(new_folder, files, reported_folder)
        for name in files:
            with errors_naming(reported_folder / name):
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (new_folder / name).replace(place / name)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)
    for name in owned:
        file = place / name
        if name not in files and file.resolve().is_relative_to(place):
            file.unlink(missing_ok=True)
