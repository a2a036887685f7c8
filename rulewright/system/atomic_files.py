"""Write files and new folders atomically: a concurrent reader sees the old or the new version, completely.

A file is written to a temporary file beside its target, and renamed; a new folder likewise. The files of a folder that
exists are replaced one by one, after all have been written. An interrupted write leaves the target unchanged, and a
part beside it, or in the folder, whose name begins with a dot and ends with `.part`; the next write removes parts that
have not been modified for an hour. Every raised `OSError` has the name of the file to be written, also if the system
does not report it, as when the disk is full.
"""

import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PureWindowsPath

from compiler.source.files import normalized_text, with_ends_of
from rulewright.system.errors import UsageError

PART = ".part"
# The age in seconds of an abandoned part.
ABANDONED = 3600.0


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


def _save_edited(path: Path, text: str) -> None:
    """Write a text file like `save_text`, with the line ends and the byte order mark of the file that it replaces."""
    original = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
    save_text(path, with_ends_of(original, normalized_text(text)))


def save_inside(folder: Path, name: str, text: str) -> None:
    """Write an edited text in an untrusted folder; `UsageError` if a link in it leads elsewhere."""
    if not Path(os.path.realpath(folder / name)).is_relative_to(os.path.realpath(folder)):
        raise UsageError(f"{folder / name} is a link that leads out of {folder}; nothing is written there")
    _save_edited(folder / name, text)


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
    """Write the files of a folder. `owned` are files of an earlier write, which are removed; others are preserved.

    Files are named by their paths below the folder; `UsageError` for one that leads out of it. A preserved file cannot
    be replaced: `UsageError` reports the first conflict before anything is written. All files are written to a part
    first: a new folder is that part, renamed; into an existing one they are moved one by one.
    """
    place = Path(os.path.realpath(out))  # Of links in a circle, one of them, which cannot be replaced.
    for name in (*files, *owned):
        if not is_below(name):
            raise UsageError(f"`{name}` leads out of {out}; nothing is written")
    with errors_naming(out), _alone_in(place.parent):
        for name in sorted(files):
            if name not in owned and os.path.lexists(place / name):
                raise UsageError(
                    f"{out / name} is there already and was not written by this command; move it away first, "
                    "or try again if another command has written it meanwhile"
                )
        exists = place.exists()
        parent, prefix = (place, ".new") if exists else (place.parent, f".{place.name}")
        prune_parts(parent, prefix[1:])
        part = Path(tempfile.mkdtemp(dir=parent, prefix=f"{prefix}.", suffix=PART))
        try:
            _fill(part, files, out)
            if exists:
                _move_all(part, place, files, out)
            else:
                part.chmod(0o777 & ~_mask())
                part.replace(place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        _remove_obsolete(place, [name for name in owned if name not in files])


def is_below(name: str) -> bool:
    """Return whether a path is relative and leads to something below its folder, on any system."""
    return not (PureWindowsPath(name).anchor or {"", ".."} & {*PureWindowsPath(name).parts, name})


@contextmanager
def _alone_in(parent: Path) -> Iterator[None]:
    """Lock out other processes that write folders in `parent`, where the system has locks."""
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


def _fill(folder: Path, files: Mapping[str, bytes], reported_folder: Path) -> None:
    for name, content in files.items():
        with errors_naming(reported_folder / name):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def _move_all(part: Path, place: Path, names: Iterable[str], reported_folder: Path) -> None:
    """Move files from a part to the same places of an existing folder."""
    for name in names:
        with errors_naming(reported_folder / name):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (part / name).replace(place / name)


def _remove_obsolete(place: Path, names: Iterable[str]) -> None:
    """Remove the files of an earlier write, and the folders that are empty without them."""
    for name in names:
        file = place / name
        if file.resolve().is_relative_to(place):
            file.unlink(missing_ok=True)
            for above in list(Path(name).parents)[:-1]:
                with suppress(OSError):  # Not empty, or not there.
                    (place / above).rmdir()
