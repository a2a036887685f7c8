"""Read foreign files: regular files only, and no larger than their kind has reason to be.

A device, a pipe or a socket is refused before a byte of it is read, and nothing waits for one to be written to.
"""

import os
import stat
from pathlib import Path
from typing import IO

from rulewright.errors import UsageError

CHUNK = 2**20


def read_regular(file: Path, largest: int) -> bytes:
    """Read a file of at most `largest` bytes; `UsageError` for anything else that can be opened."""
    with open_regular(file) as opened:
        return read_opened(opened, file, largest)


def open_regular(file: Path, *, write: bool = False) -> IO[bytes]:
    """Open a regular file to read it, or to read and write it; it must be there."""
    access = os.O_RDWR if write else os.O_RDONLY
    if not file.is_file() and file.exists() and not file.is_dir():
        raise UsageError(f"{file} is no regular file")  # A socket cannot even be opened.
    handle = os.open(file, access | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UsageError(f"{file} is {'a folder' if file.is_dir() else 'no regular file'}")
    return os.fdopen(handle, "r+b" if write else "rb")


def read_opened(opened: IO[bytes], file: Path, largest: int) -> bytes:
    """Read what is left of an open file; `UsageError` if that is more than `largest` bytes.

    The file may grow meanwhile. `read(n)` takes n bytes of memory at once, however small the file is.
    """
    content = bytearray()
    if os.fstat(opened.fileno()).st_size <= largest:
        while chunk := opened.read(min(CHUNK, largest + 1 - len(content))):
            content += chunk
        if len(content) <= largest:
            return bytes(content)
    raise UsageError(f"{file} has more than {largest:,} bytes, which is more than is read of such a file")
