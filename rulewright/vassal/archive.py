"""An archive of VASSAL, or the folder that one was unpacked into: members by name, each read up to a largest size.

Nothing is unpacked: a member is looked up by the name that the archive gives it, so a name that leads out of a folder
leads nowhere. What a header says of sizes is not believed; reading stops where more comes than is allowed.
"""

import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from compiler.source.span import Span
from rulewright.errors import UsageError
from rulewright.importing.notes import Notes
from rulewright.regular_files import open_regular

# A module with its pictures; the largest published ones have some 700 MB.
LARGEST_ARCHIVE = 2_000_000_000
MOST_MEMBERS = 60_000
# The largest build files have some 30 MB, the largest saves likewise.
LARGEST_MEMBER = 96_000_000
# The size of a picture stands in its first bytes; in a JPEG behind what the camera and the painter noted.
LARGEST_HEAD = 400_000
BUILD_FILES = ("buildFile.xml", "buildFile")
PICTURES = "images/"
_CHUNK = 1 << 20
_BAD_ZIP = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class Archive:
    """Members of an archive by name. `content` holds archives that stand in another one, `root` is a folder."""

    name: str
    root: Path
    content: bytes | None
    members: Mapping[str, int]
    unpacked: bool

    @property
    def span(self) -> Span:
        """Return the place to which notes about the archive as a whole lead."""
        return Span(self.name, 1, 1, 1, 2)

    def read(self, member: str, notes: Notes) -> bytes | None:
        """Read a member whole; None, with a note, where it is missing, damaged or too large."""
        largest = LARGEST_MEMBER
        if member not in self.members:
            notes.add_broken(self.span, member, "is not in this archive")
            return None
        try:
            content = self._begin(member, largest + 1)
        except _BAD_ZIP as error:
            notes.add_broken(self.span, member, f"cannot be read: {error or type(error).__name__}")
            return None
        if len(content) > largest:
            notes.add_broken(self.span, member, f"has more than {largest:,} bytes, which is more than is read of it")
            return None
        return content

    def head(self, member: str) -> bytes:
        """Read the first bytes of a member; none of one that cannot be read."""
        if member not in self.members:
            return b""
        try:
            return self._begin(member, LARGEST_HEAD)
        except _BAD_ZIP:
            return b""

    def picture(self, name: str) -> str:
        """Name the member that is a picture; "" if there is none. Old modules leave the ending of a name away."""
        return next((each for each in (PICTURES + name, f"{PICTURES}{name}.gif", name) if each in self.members), "")

    def inner_archive(self, member: str, notes: Notes) -> "Archive | None":
        """Open an archive that is a member of this one."""
        content = self.read(member, notes)
        if content is None:
            return None
        try:
            return _zipped(f"{self.name}/{member}", self.root, content)
        except UsageError as error:
            notes.add_broken(self.span, member, str(error))
            return None

    def _begin(self, member: str, most: int) -> bytes:
        """Read at most so many bytes of a member."""
        if self.unpacked:
            place = Path(os.path.realpath(self.root / member))
            if not place.is_relative_to(Path(os.path.realpath(self.root))) or not place.is_file():
                raise OSError(f"{member} leads out of the folder")
            with place.open("rb") as file:
                return file.read(most)
        source = BytesIO(self.content) if self.content is not None else self.root
        with zipfile.ZipFile(source) as zipped, zipped.open(member) as opened:
            read = bytearray()
            while len(read) < most and (chunk := opened.read(min(_CHUNK, most - len(read)))):
                read += chunk
            return bytes(read)


def open_archive(path: Path) -> Archive:
    """Open an archive, or the folder of one; `UsageError` for anything else."""
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise UsageError(f"{path} is no regular file" if path.exists() else f"there is no file {path}")
    if path.stat().st_size > LARGEST_ARCHIVE:
        raise UsageError(f"{path} has more than {LARGEST_ARCHIVE:,} bytes, which is more than is read of an archive")
    return _zipped(path.name, path, None)


def is_module(path: Path) -> bool:
    """Return whether a path is a module of VASSAL, packed or not."""
    if path.is_dir():
        return any((path / name).is_file() for name in BUILD_FILES)
    return path.is_file() and read_magic(path) == b"PK"


def read_magic(path: Path) -> bytes:
    """Read the two bytes that an archive of ZIP begins with; none where the file cannot be opened."""
    try:
        with open_regular(path) as opened:
            return opened.read(2)
    except OSError:
        return b""


def _zipped(name: str, root: Path, content: bytes | None) -> Archive:
    """List what an archive holds, without reading it."""
    try:
        with zipfile.ZipFile(BytesIO(content) if content is not None else root) as zipped:
            listed = zipped.infolist()
    except _BAD_ZIP as error:
        raise UsageError(f"{name} is no archive of VASSAL: {error or type(error).__name__}") from None
    if len(listed) > MOST_MEMBERS:
        raise UsageError(f"{name} has {len(listed):,} members; at most {MOST_MEMBERS:,} are read")
    members = {each.filename: each.file_size for each in listed if not each.is_dir()}
    return Archive(name, root, content, members, unpacked=False)


def _folder(path: Path) -> Archive:
    """List what stands in the folder of a module."""
    members: dict[str, int] = {}
    for above, folders, names in os.walk(path):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for name in names:
            place = Path(above, name)
            if place.is_file():
                members[place.relative_to(path).as_posix()] = place.stat().st_size
            if len(members) > MOST_MEMBERS:
                raise UsageError(f"{path} has more than {MOST_MEMBERS:,} files")
    return Archive(path.name, path, None, members, unpacked=True)
