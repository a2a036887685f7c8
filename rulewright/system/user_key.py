"""The key that signs this user's cache entries: generated once, and readable by no other user.

It is stored apart from the cache, which may be in any folder: a user who can write to the cache but cannot read the key
cannot add trusted entries.
"""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from rulewright.system.atomic_files import save_new

LENGTH = 32
NONBLOCKING = getattr(os, "O_NONBLOCK", 0)  # A pipe would block.


def key_file() -> Path:
    """Return the file of the key, by the platform's convention for state; `OSError` for a user without a home."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or user_home()) / "rulewright" / "cache.key"
    if sys.platform == "darwin":
        return user_home() / "Library" / "Application Support" / "rulewright" / "cache.key"
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (state if state.is_absolute() else user_home() / ".local" / "state") / "rulewright" / "cache.key"


def user_home() -> Path:
    """Return the user's home; `OSError` for a user without one."""
    try:
        return Path.home()
    except RuntimeError as error:
        raise FileNotFoundError(errno.ENOENT, str(error), "~") from None


def user_key() -> bytes:
    """Return the key, generating it if there is none; `OSError` if it cannot be stored, or others could read it."""
    file = key_file()
    with suppress(FileNotFoundError):
        return _read(file)
    with suppress(FileExistsError):  # Another process was quicker.
        save_new(file, os.urandom(LENGTH), mode=0o600)
    return _read(file)


def _read(file: Path) -> bytes:
    handle = os.open(file, os.O_RDONLY | NONBLOCKING | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as opened:
        refuse_if_shared(os.fstat(handle), file, stat.S_IRWXG | stat.S_IRWXO)
        key = opened.read(LENGTH + 1)
    if len(key) != LENGTH:
        raise OSError(errno.EINVAL, "this is no key; delete it", str(file))
    return key


def refuse_if_shared(facts: os.stat_result, path: Path, bits: int) -> None:
    """Raise `PermissionError` if a file or folder belongs to another user, or grants others some permissions."""
    if sys.platform == "win32":
        return  # On Windows, the folders of a user are not accessible to others.
    if facts.st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to another user", str(path))
    if facts.st_mode & bits:
        raise PermissionError(errno.EPERM, f"others have access to it (mode {facts.st_mode & 0o777:03o})", str(path))
