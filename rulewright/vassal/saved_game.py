"""The commands of a saved game, and the bytes they stand in.

A save or a log is an archive with a member `savedGame`: a text of commands with an escape sign between them, which
VASSAL makes unreadable by a key. Three writings of it are read: pairs of hexadecimal digits behind `!VCSK`, bytes
behind `VOBS`, and text that is packed by xz, besides plain text. The first is what is written, as every release reads
it.
"""

import lzma
import zipfile
from dataclasses import dataclass
from io import BytesIO

from compiler.source.span import Span
from rulewright.importing.notes import Notes
from rulewright.vassal.archive import LARGEST_MEMBER, Archive
from rulewright.vassal.sequences import join_list, split_list

MEMBER = "savedGame"
SAVE_ENDING, LOG_ENDING = ".vsav", ".vlog"
SEPARATOR = "\x1b"
DIGITS, BYTES, PACKED = b"!VCSK", b"VOBS", b"\xfd7zXZ\x00"
BEGIN, END = "begin_save", "end_save"
ADD, REMOVE, CHANGE, MOVE, LOG, CHAT = "+/", "-/", "D/", "M/", "LOG\t", "CHAT"
MOST_COMMANDS = 500_000
DEEPEST = 40
# What VASSAL draws at random; any byte will do.
KEY = 0x5A


@dataclass(frozen=True, slots=True)
class Command:
    """A command and its number in the file, counted from one."""

    number: int
    text: str
    file: str

    @property
    def span(self) -> Span:
        """Return the place of the command in notes: its number stands for a line."""
        return Span(self.file, self.number, 1, self.number, 2)


def read_commands(archive: Archive, notes: Notes) -> list[Command] | None:
    """Read the commands of a save or a log; None, with a note, where there are none."""
    raw = archive.read(MEMBER, notes)
    if raw is None:
        return None
    file = f"{archive.name}/{MEMBER}"
    place = Span(file, 1, 1, 1, 2)
    text = _decoded(raw, place, notes)
    if text is None:
        return None
    texts = flatten_commands(text) if text.count(SEPARATOR) < MOST_COMMANDS else None
    if texts is None:
        notes.add_broken(place, MEMBER, f"has more than {MOST_COMMANDS:,} commands, or commands {DEEPEST} deep")
        return None
    commands = [Command(number, each, file) for number, each in enumerate(texts, 1)]
    if texts[:1] != [BEGIN]:
        notes.add_broken(place, MEMBER, f"does not begin with `{BEGIN}`: this is no saved game")
        return None
    if END not in texts:
        last = commands[-1].span
        notes.add_broken(
            last, MEMBER, f"breaks off after {len(commands)} commands, before `{END}`; the rest is missing"
        )
    return commands


def flatten_commands(text: str) -> list[str] | None:
    """List commands in order, those that stand inside of others too; None where they stand too deep.

    What a log repeats stays one command.
    """
    found: list[str] = []
    pending = [(text, 0)]
    while pending:
        command, depth = pending.pop()
        if SEPARATOR not in command or command.startswith(LOG):
            found.append(command)
        elif depth == DEEPEST:
            return None
        else:
            pending += [(each, depth + 1) for each in reversed(split_list(command, SEPARATOR))]
    return [each for each in found if each]


def write_commands(commands: list[str], also: dict[str, bytes]) -> bytes:
    """Write a save: an archive of its commands and further members; the same commands give the same bytes."""
    text = join_list(commands, SEPARATOR).encode()
    turned = text.translate(bytes(byte ^ KEY for byte in range(256)))
    content = {MEMBER: DIGITS + f"{KEY:02x}".encode() + turned.hex().encode(), **also}
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, part in content.items():
            # A fixed date: what is written does not depend on the hour.
            zipped.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), part, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _decoded(raw: bytes, place: Span, notes: Notes) -> str | None:
    """Take the key away and read the text."""
    if raw.startswith(DIGITS):
        found = _from_digits(raw[len(DIGITS) :], place, notes)
    elif raw.startswith(BYTES):
        key = raw[len(BYTES)] if len(raw) > len(BYTES) else 0
        found = raw[len(BYTES) + 1 :].translate(bytes(byte ^ key for byte in range(256)))
    elif raw.startswith(PACKED):
        found = _unpacked(raw, place, notes)
    else:
        found = raw
    if found is None:
        return None
    try:
        return found.decode()
    except UnicodeDecodeError as error:
        if len(found) - error.start < 4:  # A letter that is cut off at the end.
            return found[: error.start].decode()
        notes.add_changed(place, MEMBER, "not UTF-8: its letters were read as Windows-1252")
        return found.decode("windows-1252", errors="replace")


def _from_digits(raw: bytes, place: Span, notes: Notes) -> bytes | None:
    try:
        key = int(raw[:2], 16)
        found = bytes.fromhex(raw[2 : len(raw) - len(raw) % 2].decode("ascii"))
    except ValueError:
        notes.add_broken(place, MEMBER, "pairs of hexadecimal digits should stand here")
        return None
    return found.translate(bytes(byte ^ key for byte in range(256)))


def _unpacked(raw: bytes, place: Span, notes: Notes) -> bytes | None:
    """Unpack no more than is read of a member."""
    unpacker = lzma.LZMADecompressor(memlimit=256_000_000)
    try:
        found = unpacker.decompress(raw, LARGEST_MEMBER + 1)
    except lzma.LZMAError as error:
        notes.add_broken(place, MEMBER, f"cannot be unpacked: {error}")
        return None
    if len(found) > LARGEST_MEMBER:
        notes.add_broken(place, MEMBER, f"has more than {LARGEST_MEMBER:,} bytes, which is more than is read of it")
        return None
    return found
