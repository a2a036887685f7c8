"""The size of a board: that of its picture, read from the header of the file without decoding it."""

import re
import struct
from collections.abc import Iterable

from rulewright.adapters.vassal.archive import ModuleArchive
from rulewright.adapters.vassal.grids import PixelPoint, ZoneOutline
from rulewright.adapters.vassal.piece_traits import whole_number
from rulewright.adapters.vassal.xml_tree import Element
from rulewright.exchange.notes import Notes

PNG, JPEG, GIF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"GIF8"
# The default size of VASSAL for a board without a picture.
USUAL = (500, 500)
# A picture of more pixels per side is an error, or malicious.
MOST_PIXELS = 200_000
# Markers of a JPEG that begin a frame header, which contains the size.
_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
_LENGTH = r"([\d.]+)\s*(px|pt|mm|cm|in)?"
_PIXELS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}


def board_size(archive: ModuleArchive, board: Element, zones: Iterable[ZoneOutline], notes: Notes) -> PixelPoint:
    """Return the size of a board in pixels: of its picture, by its attributes, or, with a note, by its zones."""
    image = board.get("image")
    if not image:
        attribute_size = whole_number(board.get("width", "0")), whole_number(board.get("height", "0"))
        return _sensible(attribute_size) or USUAL
    found = _sensible(picture_size(archive.head(archive.picture(image))))
    if found:
        return found
    corners = [(x, y) for outline in zones for x, y in outline.corners]
    size = max((x for x, _ in corners), default=0), max((y for _, y in corners), default=0)
    remark = "its zones say how large it is" if _sensible(size) else "without its size none of its cells came over"
    notes.add_invalid(
        board.span, board.get("name"), f"its picture `{image}` is missing or cannot be measured; {remark}"
    )
    return _sensible(size) or (0, 0)


def picture_size(head: bytes) -> PixelPoint:
    """Parse the size of a picture from its first bytes; (0, 0) if the format is unknown."""
    if head.startswith(PNG) and len(head) >= 24:
        wide, high = struct.unpack(">II", head[16:24])
        return wide, high
    if head.startswith(GIF) and len(head) >= 10:
        wide, high = struct.unpack("<HH", head[6:10])
        return wide, high
    if head.startswith(JPEG):
        return _jpeg(head)
    return _svg(head)


def _jpeg(head: bytes) -> PixelPoint:
    """Parse the size of a JPEG: scan its markers up to the frame header."""
    offset = 2
    while offset + 9 < len(head) and head[offset] == 0xFF:
        marker = head[offset + 1]
        if marker in _FRAMES:
            high, wide = struct.unpack(">HH", head[offset + 5 : offset + 9])
            return wide, high
        if marker == 0xFF:
            offset += 1
            continue
        offset += 2 + max(2, int(struct.unpack(">H", head[offset + 2 : offset + 4])[0]))
    return 0, 0


def _svg(head: bytes) -> PixelPoint:
    """Parse the size of an SVG: its width and height, otherwise its view box."""
    text = head[:20_000].decode("utf-8", errors="replace")
    tag = re.search(r"<svg\b[^>]*", text)
    if tag is None:
        return 0, 0
    sides = [re.search(rf'\b{side}\s*=\s*["\']{_LENGTH}\s*["\']', tag[0]) for side in ("width", "height")]
    lengths = [_number(found[1]) * _PIXELS[found[2] or ""] for found in sides if found]
    if len(lengths) < 2 and (view := re.search(r'viewBox\s*=\s*["\']([^"\']*)', tag[0])):
        lengths = [_number(each) for each in re.split(r"[\s,]+", view[1].strip())[2:4]]
    return (round(lengths[0]), round(lengths[1])) if len(lengths) == 2 else (0, 0)


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"\d{1,7}(\.\d{1,9})?", text) else 0.0


def _sensible(size: PixelPoint) -> PixelPoint | None:
    return size if all(0 < side <= MOST_PIXELS for side in size) else None
