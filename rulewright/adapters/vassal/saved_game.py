"""Encoding and decoding of the commands of a saved game.

A save or a log is an archive with a member `savedGame`: a text of commands with the escape character between them,
which VASSAL obfuscates by XOR with a key. Decoded are hexadecimal digits after `!VCSK`, bytes after `VOBS`, text
compressed by xz, and plain text. The first form is emitted, since every release of VASSAL can read it.
"""

import lzma
import zipfile
from io import BytesIO

from compiler.source.span import Span
from rulewright.adapters.vassal.archive import LARGEST_MEMBER, ModuleArchive
from rulewright.adapters.vassal.sequences import join_list, split_list
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass

SAVED_GAME_MEMBER = "savedGame"
SAVE_ENDING, LOG_ENDING = ".vsav", ".vlog"
SEPARATOR = "\x1b"
HEX_DIGITS_MARK, BYTES_MARK, PACKED_MARK = b"!VCSK", b"VOBS", b"\xfd7zXZ\x00"
BEGIN, END = "begin_save", "end_save"
ADD, LOG = "+/", "LOG\t"
MOST_COMMANDS = 500_000
MOST_COMMAND_NESTING = 40
# The key, which VASSAL draws at random; any byte is valid.
KEY = 0x5A


@frozen_dataclass
class Command:
    """A command and its number in the file, counted from one."""

    number: int
    text: str
    file: str

    @property
    def span(self) -> Span:
        """Return the span of the command in notes, with its number as the line."""
        return Span(self.file, self.number, 1, self.number, 2)


def read_commands(archive: ModuleArchive, notes: Notes) -> list[Command] | None:
    """Decode the commands of a save or a log; None, with a note, if there are none."""
    raw = archive.read(SAVED_GAME_MEMBER, notes)
    if raw is None:
        return None
    file = f"{archive.name}/{SAVED_GAME_MEMBER}"
    place = Span(file, 1, 1, 1, 2)
    text = _decoded(raw, place, notes)
    if text is None:
        return None
    texts = _flatten_commands(text) if text.count(SEPARATOR) < MOST_COMMANDS else None
    if texts is None:
        notes.add_invalid(
            place,
            SAVED_GAME_MEMBER,
            f"has more than {MOST_COMMANDS:,} commands, or commands {MOST_COMMAND_NESTING} deep",
        )
        return None
    commands = [Command(number, text, file) for number, text in enumerate(texts, 1)]
    if texts[:1] != [BEGIN]:
        notes.add_invalid(place, SAVED_GAME_MEMBER, f"does not begin with `{BEGIN}`: this is no saved game")
        return None
    if END not in texts:
        last = commands[-1].span
        notes.add_invalid(
            last, SAVED_GAME_MEMBER, f"breaks off after {len(commands)} commands, before `{END}`; the rest is missing"
        )
    return commands


def _flatten_commands(text: str) -> list[str] | None:
    """Return nested commands as a flat list, in order; None if they are nested too deeply.

    A logged command is not split.
    """
    commands: list[str] = []
    pending = [(text, 0)]
    while pending:
        command, depth = pending.pop()
        if SEPARATOR not in command or command.startswith(LOG):
            commands.append(command)
        elif depth == MOST_COMMAND_NESTING:
            return None
        else:
            pending += [(part, depth + 1) for part in reversed(split_list(command, SEPARATOR))]
    return [command for command in commands if command]


def write_commands(commands: list[str], also: dict[str, bytes]) -> bytes:
    """Encode a save: an archive of its commands and further members. The encoding is deterministic."""
    text = join_list(commands, SEPARATOR).encode()
    encoded_text = _obfuscated(text, KEY)
    content = {SAVED_GAME_MEMBER: HEX_DIGITS_MARK + f"{KEY:02x}".encode() + encoded_text.hex().encode(), **also}
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, part in content.items():
            # A fixed date, so that the bytes do not depend on the time.
            zipped.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), part, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _obfuscated(content: bytes, key: int) -> bytes:
    """Apply a key to bytes, which also takes it off."""
    return content.translate(bytes(byte ^ key for byte in range(256)))


def _decoded(raw: bytes, place: Span, notes: Notes) -> str | None:
    """Decode the text of a save; None, with a note, if it is malformed."""
    if raw.startswith(HEX_DIGITS_MARK):
        content = _from_digits(raw[len(HEX_DIGITS_MARK) :], place, notes)
    elif raw.startswith(BYTES_MARK):
        key = raw[len(BYTES_MARK)] if len(raw) > len(BYTES_MARK) else 0
        content = _obfuscated(raw[len(BYTES_MARK) + 1 :], key)
    elif raw.startswith(PACKED_MARK):
        content = _unpacked(raw, place, notes)
    else:
        content = raw
    if content is None:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        if len(content) - error.start < 4:  # A letter that is cut off at the end.
            return content[: error.start].decode()
        notes.add_changed(place, SAVED_GAME_MEMBER, "not UTF-8: its letters were read as Windows-1252")
        return content.decode("windows-1252", errors="replace")


def _from_digits(raw: bytes, place: Span, notes: Notes) -> bytes | None:
    try:
        key = int(raw[:2], 16)
        content = bytes.fromhex(raw[2 : len(raw) - len(raw) % 2].decode("ascii"))
    except ValueError:
        notes.add_invalid(place, SAVED_GAME_MEMBER, "pairs of hexadecimal digits should stand here")
        return None
    return _obfuscated(content, key)


def _unpacked(raw: bytes, place: Span, notes: Notes) -> bytes | None:
    """Decompress xz data up to the size limit of a member; None, with a note, if it is invalid or too large."""
    unpacker = lzma.LZMADecompressor(memlimit=256_000_000)
    try:
        content = unpacker.decompress(raw, LARGEST_MEMBER + 1)
    except lzma.LZMAError as error:
        notes.add_invalid(place, SAVED_GAME_MEMBER, f"cannot be unpacked: {error}")
        return None
    if len(content) > LARGEST_MEMBER:
        notes.add_invalid(
            place, SAVED_GAME_MEMBER, f"has more than {LARGEST_MEMBER:,} bytes, which is more than is read of it"
        )
        return None
    return content
