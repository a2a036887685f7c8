"""An archive of VASSAL: members by name, each read up to a size limit.

Nothing is extracted: a member is looked up by its name in the archive, so that a name with `..` has no effect. Sizes
in headers are not trusted; reading stops at the limit. An archive stays open, since its directory is read each time
that it is opened.
"""

import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from compiler.source.span import Span
from rulewright.exchange.notes import Notes
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import open_regular
from runtime.graph.frozen_dataclass import frozen_dataclass

# The limit of a module with its pictures; the largest published ones have some 700 MB.
LARGEST_ARCHIVE = 2_000_000_000
MOST_ARCHIVE_MEMBERS = 60_000
# The limit of a member: the largest build files and saves have some 30 MB.
LARGEST_MEMBER = 96_000_000
# The size of a picture is in its first bytes; in a JPEG, after the metadata.
LARGEST_HEAD = 400_000
BUILD_FILES = ("buildFile.xml", "buildFile")
PICTURES = "images/"
# Python decompresses the other methods as a whole, whatever their size.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_CHUNK = 1 << 20
_BAD_ZIP = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, OSError, ValueError)


@frozen_dataclass
class ModuleArchive:
    """The members of an archive, by name, and those that it has twice."""

    name: str
    zipped: zipfile.ZipFile
    members: Mapping[str, int]
    repeated: frozenset[str]

    @property
    def span(self) -> Span:
        """Return the span of notes about the archive as a whole."""
        return Span(self.name, 1, 1, 1, 2)

    def read(self, member: str, notes: Notes) -> bytes | None:
        """Read a whole member; None, with a note, if it is missing, damaged or too large."""
        largest = LARGEST_MEMBER
        if member not in self.members:
            notes.add_invalid(self.span, member, "is not in this archive")
            return None
        if member in self.repeated:
            notes.add_invalid(self.span, member, "is more than once in this archive; the last one is read")
        try:
            content = self._begin(member, largest + 1)
        except _BAD_ZIP as error:
            notes.add_invalid(self.span, member, f"cannot be read: {error or type(error).__name__}")
            return None
        if len(content) > largest:
            notes.add_invalid(self.span, member, f"has more than {largest:,} bytes, which is more than is read of it")
            return None
        return content

    def head(self, member: str) -> bytes:
        """Read the first bytes of a member; empty if it cannot be read."""
        if member not in self.members:
            return b""
        try:
            return self._begin(member, LARGEST_HEAD)
        except _BAD_ZIP:
            return b""

    def picture(self, name: str) -> str:
        """Return the name of the member that is a picture; "" if there is none. Old modules omit the suffix."""
        return next((each for each in (PICTURES + name, f"{PICTURES}{name}.gif", name) if each in self.members), "")

    def inner_archive(self, member: str, notes: Notes) -> "ModuleArchive | None":
        """Open an archive that is a member of this one; None, with a note, if it cannot be read."""
        content = self.read(member, notes)
        if content is None:
            return None
        try:
            return _zipped(f"{self.name}/{member}", BytesIO(content))
        except UsageError as error:
            notes.add_invalid(self.span, member, str(error))
            return None

    def _begin(self, member: str, most: int) -> bytes:
        """Read the first bytes of a member, at most `most`."""
        method = self.zipped.getinfo(member).compress_type
        if method not in METHODS:
            raise NotImplementedError(f"it is compressed by method {method}, and VASSAL reads and writes 8 (deflate)")
        with self.zipped.open(member) as opened:
            read = bytearray()
            while len(read) < most and (chunk := opened.read(min(_CHUNK, most - len(read)))):
                read += chunk
            return bytes(read)


def open_archive(path: Path) -> ModuleArchive:
    """Open an archive; `UsageError` otherwise."""
    if not path.is_file():
        raise UsageError(f"{path} is no regular file" if path.exists() else f"there is no file {path}")
    if path.stat().st_size > LARGEST_ARCHIVE:
        raise UsageError(f"{path} has more than {LARGEST_ARCHIVE:,} bytes, which is more than is read of an archive")
    return _zipped(path.name, path)


def is_module(path: Path) -> bool:
    """Return whether a path may be a module of VASSAL: an archive."""
    return path.is_file() and _read_magic(path) == b"PK"


def _read_magic(path: Path) -> bytes:
    """Read the first two bytes of a file, which identify a ZIP archive; empty if the file cannot be opened."""
    try:
        with open_regular(path) as opened:
            return opened.read(2)
    except OSError:
        return b""


def _zipped(name: str, content: Path | BytesIO) -> ModuleArchive:
    """Open a ZIP archive by its directory; no member is read."""
    try:
        zipped = zipfile.ZipFile(content)
    except _BAD_ZIP as error:
        raise UsageError(f"{name} is no archive of VASSAL: {error or type(error).__name__}") from None
    listed = zipped.infolist()
    if len(listed) > MOST_ARCHIVE_MEMBERS:
        raise UsageError(f"{name} has {len(listed):,} members; at most {MOST_ARCHIVE_MEMBERS:,} are read")
    members = {each.filename: each.file_size for each in listed if not each.is_dir()}
    counts = Counter(each.filename for each in listed)
    return ModuleArchive(name, zipped, members, frozenset(count for count in counts if counts[count] > 1))
