"""Keep what files were parsed to, each under the hash of its text: after an edit of one file, one file is parsed.

All of them are in one file of the cache, which is safe or not used at all (cache.py). What was read anew is added when
the program ends. Of two programs that end at once the last one's file stays; what the other parsed is parsed once more.
"""

import atexit
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from compiler.source.garbage_collection import without_garbage_collection
from rulewright.library import cache

T = TypeVar("T")

PACKS = cache.CachePool(".pack", 1)
# A large family of games has some hundred files; what was used last is kept.
MOST = 1_500


class FileArchive:
    """Files as they were read, as far as they are known from earlier runs, and those that are new."""

    def __init__(self) -> None:
        """Look at nothing before it is wanted."""
        self._directory: Path | None = None
        self._known: dict[str, bytes] = {}
        self._used: dict[str, None] = {}
        self._new: dict[str, object] = {}

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Return what a file was read into, or read it."""
        if self._directory != cache.cache_folder():
            self._open(cache.cache_folder())
        key = f"{name} {digest}"
        if key in self._known:
            self._used[key] = None
            with suppress(*cache.MISFITS):
                found: T = cache.unpickle(self._known[key])
                return found
        if key in self._new:
            return cast("T", self._new[key])
        made = make()
        self._new[key] = made
        if len(self._new) > MOST:
            self._new.clear()
        return made

    def write_down(self) -> None:
        """Add what is new, after what was used last."""
        if not self._new or self._directory != cache.cache_folder():
            return
        lately = [*(key for key in self._known if key not in self._used), *self._used]
        kept = {key: self._known[key] for key in lately[-MOST:]}
        with without_garbage_collection():
            fresh = {
                key: content for key, made in self._new.items() if (content := cache.pickle_value(made)) is not None
            }
        self._known = kept | fresh
        self._new.clear()
        cache.put(_name(), self._known, PACKS)

    def _open(self, directory: Path) -> None:
        self._directory, self._known = directory, {}
        self._used.clear()
        self._new.clear()
        found: Any = cache.get(_name(), PACKS)
        if isinstance(found, dict):
            self._known = found


def _name() -> str:
    """Name the file by the compiler whose nodes these are: what another one wrote is never loaded."""
    return cache.cache_key(b"files", cache.compiler_stamp("compiler"))


pack = FileArchive()
atexit.register(pack.write_down)
