"""Read untrusted files: regular files only, up to a size limit.

A device, a pipe or a socket is rejected before it is read, without blocking.
"""

import os
import stat
from pathlib import Path
from typing import IO

from compiler.source.files import LARGEST_FILE, normalized_text
from rulewright.system.atomic_files import errors_naming
from rulewright.system.errors import UsageError

CHUNK = 2**20


def read_regular(file: Path, largest: int) -> bytes:
    """Read a regular file of at most `largest` bytes; `UsageError` otherwise."""
    with open_regular(file) as opened:
        return read_opened(opened, file, largest)


def read_text_file(file: Path) -> str:
    """Read a regular file as UTF-8, with normalized line ends; `UsageError` if it is another, or too large."""
    try:
        return normalized_text(read_regular(file, LARGEST_FILE).decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no text in UTF-8") from None


def open_regular(file: Path, *, write: bool = False) -> IO[bytes]:
    """Open an existing regular file for reading, or for reading and writing."""
    access = os.O_RDWR if write else os.O_RDONLY
    if not file.is_file() and file.exists() and not file.is_dir():
        raise UsageError(f"{file} is no regular file")  # A socket cannot even be opened.
    handle = os.open(file, access | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UsageError(f"{file} is {'a folder' if file.is_dir() else 'no regular file'}")
    return os.fdopen(handle, "r+b" if write else "rb")


def read_opened(opened: IO[bytes], file: Path, largest: int) -> bytes:
    """Read the rest of an open file; `UsageError` if it has more than `largest` bytes.

    The file is read in chunks, since it may grow, and since `read(n)` allocates n bytes even for a small file. An error
    of the device has the name of the file, which the system does not report.
    """
    content = bytearray()
    with errors_naming(file):
        if os.fstat(opened.fileno()).st_size <= largest:
            while chunk := opened.read(min(CHUNK, largest + 1 - len(content))):
                content += chunk
            if len(content) <= largest:
                return bytes(content)
    raise UsageError(f"{file} has more than {largest:,} bytes, which is more than is read of such a file")
