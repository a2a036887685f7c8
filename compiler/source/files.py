"""Read files: the only access of the compiler to the disk.

The input is a path; the output is its text, or a problem that states why there is none. A text is UTF-8, within the
size limit for files of rules, and inside the package that it was found in.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from compiler.source.finding import Finding
from compiler.source.findings.files import MissingFile, NotUtf8, OutsidePackage, TooLarge
from compiler.source.span import NOWHERE, Span
from runtime.graph.frozen_dataclass import frozen_dataclass

# The file that makes its folder a layer.
MANIFEST = "layer.yaml"
LARGEST_FILE = 1_000_000
# A package with every board and card of a large family of games has some hundreds.
MOST_PACKAGE_FILES = 5_000
DEEPEST_FOLDER = 16
# How the names of hidden files and folders begin, and of those of Python.
HIDDEN = (".", "__")

_unsaved: ContextVar[Mapping[Path, str]] = ContextVar("unsaved", default=MappingProxyType({}))
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n?|\n")


@frozen_dataclass
class PackageFile:
    """A file of a package: its path, and its name in reports."""

    path: Path
    name: str

    @property
    def span(self) -> Span:
        """Return the span of the start of the file."""
        return Span(self.name, 1, 1, 1, 1)


@contextmanager
def reading_unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Read `texts`, the buffers of an editor, in place of their files within this context.

    Missing files stay missing.
    """
    token = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(token)


def is_unsaved(found: PackageFile) -> bool:
    """Return whether a text of an editor replaces the content of a file."""
    return found.path in _unsaved.get()


def read_bytes(found: PackageFile, written_at: Span = NOWHERE) -> tuple[bytes, tuple[Finding, ...]]:
    """Read a file, or the text that replaces it; empty if there are problems."""
    if is_unsaved(found):
        raw = _unsaved.get()[found.path].encode("utf-8", "surrogatepass")
        return (raw, ()) if len(raw) <= LARGEST_FILE else (b"", (TooLarge(found.span, "bytes", LARGEST_FILE),))
    try:
        facts = os.stat(found.path)  # noqa: PTH116 -- five hundred files are read for each command
        if not stat.S_ISREG(facts.st_mode):
            # Opening a pipe would block, and a folder cannot be read.
            return b"", (MissingFile(written_at, found.name, "not a file"),)
        if facts.st_size > LARGEST_FILE:
            return b"", (TooLarge(found.span, "bytes", LARGEST_FILE),)
        handle = os.open(found.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            # `read` allocates as many bytes as are requested, so the size of a moment ago is requested first.
            raw = os.read(handle, facts.st_size + 1)
            if len(raw) > facts.st_size:
                raw += os.read(handle, LARGEST_FILE + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as failure:
        reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else "no such path"
        return b"", (MissingFile(written_at, found.name, reason.lower()),)
    return raw, ()


def read_text(found: PackageFile, written_at: Span = NOWHERE) -> tuple[str, tuple[Finding, ...]]:
    """Read a file as UTF-8; the text is empty if there are problems."""
    raw, unread = read_bytes(found, written_at)
    if unread:
        return "", unread
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError as failure:
        before = raw[: failure.start].removeprefix(_BOM).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        place = Span(found.name, line, column, line, column + 1)
        return "", (NotUtf8(place, raw[failure.start]),)


def normalized_text(text: str) -> str:
    """Normalize line ends and remove a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def with_ends_of(original: str, text: str) -> str:
    """Return a normalized text with the line ends, those of its first line, and the byte order mark of another."""
    mark = "\ufeff" if original.startswith("\ufeff") else ""
    first_end = _LINE_END.search(original)
    return mark + (text.replace("\n", first_end.group()) if first_end else text)


def split_lines(text: str) -> list[str]:
    """Split a text at the line ends that parsers count, not at form feeds and the like."""
    return normalized_text(text).split("\n")


def outermost_folders(folders: Iterable[Path]) -> list[Path]:
    """Return real paths of folders in order, without those that another one contains or names in another spelling.

    Spellings are links, `..`, and letters of either case where the file system does not distinguish them.
    """
    places = [folder.resolve() for folder in folders]
    identities = [_identity(place) for place in places]
    outermost: list[Path] = []
    for number, place in enumerate(places):
        is_repeated = identities[number] in identities[:number]
        is_below = place.exists() and any(_identity(above) in identities for above in _walked_from(place))
        if not (is_repeated or is_below):
            outermost.append(place)
    return outermost


def _identity(place: Path) -> object:
    """Return what the system knows a folder by, the path itself if it does not exist."""
    try:
        status = place.stat()
    except OSError:
        return place
    return status.st_dev, status.st_ino


def _walked_from(place: Path) -> Iterator[Path]:
    """Yield the folders above a place from which `walk_files` finds it: none above a hidden folder."""
    for inner, above in zip((place, *place.parents), place.parents, strict=False):
        if inner.name.startswith(HIDDEN):
            return
        yield above


def walk_files(root: Path, display_name: str, found: list[Finding]) -> Iterator[PackageFile]:
    """Return the files below a root, folder by folder, in the order of their names."""
    pending = [(str(root), _printable(display_name), 0)]
    count = 0
    while pending:
        folder, name, depth = pending.pop()
        below: list[tuple[str, str, int]] = []
        for entry in _shown_entries(folder, name, found):
            inner = f"{name}/{_printable(entry.name)}"
            if entry.is_symlink() and not _leads_to_file(entry, inner, root, found):
                continue
            if _is_folder(entry):
                below.append((entry.path, inner, depth + 1))
                continue
            count += 1
            if count > MOST_PACKAGE_FILES or depth > DEEPEST_FOLDER:
                unit, limit = (
                    ("files", MOST_PACKAGE_FILES) if count > MOST_PACKAGE_FILES else ("folders", DEEPEST_FOLDER)
                )
                found.append(TooLarge(Span(inner, 1, 1, 1, 1), unit, limit))
                return
            yield PackageFile(Path(entry.path), inner)
        pending += reversed(below)


def _shown_entries(folder: str, name: str, found: list[Finding]) -> "list[os.DirEntry[str]]":
    """Return the entries of a folder that are not hidden, by name; report a folder that cannot be read."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as failure:
        reason = (failure.strerror or "cannot be read").lower()
        found.append(MissingFile(NOWHERE, name, reason))
        return []
    return [entry for entry in entries if not entry.name.startswith(HIDDEN)]


def _leads_to_file(entry: "os.DirEntry[str]", name: str, root: Path, found: list[Finding]) -> bool:
    """Return whether a link leads to a file below the root; the files of a folder are found there. Report others."""
    target = Path(os.path.realpath(entry.path))  # Of links in a circle, one of them.
    is_inside = target.is_relative_to(root)
    if not is_inside:
        found.append(OutsidePackage(Span(name, 1, 1, 1, 1), str(target)))
    return is_inside and not target.is_dir()


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # A link in a circle; whoever reads it gets the reason.
        return False


def _printable(name: str) -> str:
    """Return a printable form of a file name, whose bytes may not be text."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else "?" for sign in text)
