"""Decode a binary board of a module, with limits on every size.

A file is compressed by gzip. Its content is the width and the height; then the cells in column-major order, each
with its coordinates, elevation, an optional flag, base, six edges and six paths, one byte each; then the regions
with their cells. Numbers are 32-bit little-endian, texts UTF-16LE. The content is untrusted: each size is checked
before it is used, and a board that ends before or after the last byte is rejected.
"""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from compiler.source.files import PackageFile
from compiler.source.span import Span
from rulewright.adapters.open_panzer_blitz.foreign_nodes import CELL_SIDES, ForeignBoard, ImportedHex
from rulewright.exchange.notes import Notes
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import open_regular
from runtime.graph.hexes import Coordinates

LARGEST_FILE = 1_000_000
LARGEST_BOARD = 4_000_000
MOST_WIDE = 120
MOST_REGIONS = 1_000
LONGEST_NAME = 200


class _BadBytes(Exception):  # noqa: N818 control flow within one file: it is noted and left out
    """An error in the encoding of a board, with its offset."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset, self.reason = offset, reason


def read_map(file: PackageFile, key: str, codes: Mapping[str, tuple[str, ...]], notes: Notes) -> ForeignBoard | None:
    """Decode one board; None, with a note, if it is malformed; columns of spans are offsets after decompression."""
    try:
        raw = _unpacked(file.path)
        try:
            return _BoardDecoder(raw, file, codes, flagged=True).board(key)
        except _BadBytes as slip:
            # Older boards have no flag. If neither format can be decoded, the error of the newer one is reported.
            try:
                return _BoardDecoder(raw, file, codes, flagged=False).board(key)
            except _BadBytes:
                raise slip from None
    except _BadBytes as slip:
        notes.add_invalid(
            Span(file.name, 1, slip.offset + 1, 1, slip.offset + 2),
            file.path.name,
            f"at byte {slip.offset}: {slip.reason}",
        )
        return None


def _unpacked(path: Path) -> bytes:
    """Decompress a file, up to the size limit of a board."""
    try:
        with open_regular(path) as opened:
            packed = opened.read(LARGEST_FILE + 1)
    except OSError as failure:
        raise _BadBytes(0, (failure.strerror or "cannot be read").lower()) from None
    except UsageError as refusal:
        raise _BadBytes(0, str(refusal)) from None
    if len(packed) > LARGEST_FILE:
        raise _BadBytes(LARGEST_FILE, "the file is too large")
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        raw = unpacking.decompress(packed, LARGEST_BOARD + 1)
    except zlib.error:
        raise _BadBytes(0, "this is no packed board") from None
    if len(raw) > LARGEST_BOARD:
        raise _BadBytes(LARGEST_BOARD, "the board is too large")
    if not unpacking.eof:
        raise _BadBytes(len(raw), "the packed board breaks off")
    return raw


T = TypeVar("T")


@dataclass(slots=True)
class _BoardDecoder:
    """A decoder of one board: the bytes, and the offset of the next one."""

    raw: bytes
    file: PackageFile
    codes: Mapping[str, tuple[str, ...]]
    flagged: bool
    offset: int = 0

    def board(self, key: str) -> ForeignBoard:
        """Decode a board that fills all of the bytes."""
        width, height = self.number(MOST_WIDE, "columns"), self.number(MOST_WIDE, "rows")
        if not width or not height:
            self.fail("a board without hexes")
        cells = dict(self.read_list(width * height, "hexes", lambda: self.cell(width, height)))
        if len(cells) != width * height:
            self.fail("hexes are missing, or there twice")
        regions = self.read_list(MOST_REGIONS, "regions", lambda: self.region(width, height))
        if self.offset != len(self.raw):
            self.fail("the board ends here, the file does not")
        return ForeignBoard(self.file.span, key, width, height, cells, tuple(regions))

    def cell(self, width: int, height: int) -> tuple[Coordinates, ImportedHex]:
        """Decode a cell with its coordinates."""
        point = self.point(width, height)
        elevation = self.byte()
        if self.flagged and self.byte() > 1:
            self.fail("a flag is 0 or 1")
        base = self.read_terrain("base")
        edges = self.read_list(len(CELL_SIDES), "edges", lambda: self.read_terrain("edge"))
        paths = self.read_list(len(CELL_SIDES), "paths", lambda: self.read_terrain("path"))
        if len(edges) != len(CELL_SIDES) or len(paths) != len(CELL_SIDES):
            self.fail("a hex has six edges and six paths")
        return point, ImportedHex(self.file.span, base, elevation, tuple(edges), tuple(paths))

    def region(self, width: int, height: int) -> tuple[str, tuple[Coordinates, ...]]:
        """Decode a region: its name, without characters that are not printable, and its cells."""
        letters = self.number(LONGEST_NAME, "letters")
        name = self.take_bytes(2 * letters).decode("utf-16-le", errors="replace")
        points = self.read_list(width * height, "hexes of a region", lambda: self.point(width, height))
        return "".join(letter for letter in name if letter.isprintable()), tuple(points)

    def read_list(self, most: int, subject: str, read: Callable[[], T]) -> list[T]:
        """Decode a list that is preceded by its length."""
        return [read() for _ in range(self.number(most, subject))]

    def point(self, width: int, height: int) -> Coordinates:
        """Decode the coordinates of a cell."""
        return self.number(width - 1, "the column of a hex"), self.number(height - 1, "the row of a hex")

    def read_terrain(self, category: str) -> str:
        """Decode a terrain code to its name in the mapping.

        A code that the mapping lacks becomes `code N`, which is noted when the board is written."""
        code, known = self.byte(), self.codes.get(category, ())
        if code >= len(known) and code > 2 * len(known) + 8:
            self.fail(f"no {category} has the code {code}")
        return known[code] if code < len(known) else f"code {code}"

    def number(self, most: int, subject: str) -> int:
        """Decode an integer between 0 and a maximum."""
        found = int(struct.unpack("<i", self.take_bytes(4))[0])
        if not 0 <= found <= most:
            self.offset -= 4
            self.fail(f"{subject}: {found} is not between 0 and {most}")
        return found

    def byte(self) -> int:
        """Decode a byte."""
        return self.take_bytes(1)[0]

    def take_bytes(self, count: int) -> bytes:
        """Consume a number of bytes."""
        if self.offset + count > len(self.raw):
            self.fail("the board breaks off")
        self.offset += count
        return self.raw[self.offset - count : self.offset]

    def fail(self, reason: str) -> None:
        """Raise `_BadBytes` at the current offset."""
        raise _BadBytes(self.offset, reason)
