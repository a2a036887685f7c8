"""A cache of parsed files by the hash of their texts, so that after an edit only the changed file is parsed.

All entries are in one file of the cache, which is safe or not used at all (cache.py). New entries are added when the
program ends. If two programs end at once, the last one overwrites the file, and entries of the other are lost.
"""

import atexit
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from compiler.source.garbage_collection import without_garbage_collection
from rulewright.library import cache
from rulewright.system.pickling import MISFITS, pickle_value, unpickle_quickly

T = TypeVar("T")

PACKS = cache.CachePool(".pack", 1)
# The most entries, by last use; a large family of games has some hundred files.
MOST_ENTRIES = 1_500


class FileArchive:
    """Parsed files of earlier runs, and new ones."""

    def __init__(self) -> None:
        """Start without reading the cache, which the first look-up does."""
        self._directory: Path | None = None
        self._known: dict[str, bytes] = {}
        self._used_keys: dict[str, None] = {}
        self._new_entries: dict[str, object] = {}

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Return the parsed file, from the archive or by calling `make`."""
        if self._directory != cache.cache_folder():
            self._open(cache.cache_folder())
        key = f"{name} {digest}"
        if key in self._known:
            self._used_keys[key] = None
            with suppress(*MISFITS):
                found: T = unpickle_quickly(self._known[key])
                return found
        if key in self._new_entries:
            return cast("T", self._new_entries[key])
        value = make()
        self._new_entries[key] = value
        if len(self._new_entries) > MOST_ENTRIES:
            self._new_entries.clear()
        return value

    def write_entries(self) -> None:
        """Write new entries, after those of earlier runs by last use."""
        if not self._new_entries or self._directory != cache.cache_folder():
            return
        keys_by_use = [*(key for key in self._known if key not in self._used_keys), *self._used_keys]
        entries = {key: self._known[key] for key in keys_by_use[-MOST_ENTRIES:]}
        with without_garbage_collection():
            new_entries = {
                key: content for key, value in self._new_entries.items() if (content := pickle_value(value)) is not None
            }
        self._known = entries | new_entries
        self._new_entries.clear()
        cache.store_entry(_name(), self._known, PACKS)

    def _open(self, directory: Path) -> None:
        self._directory, self._known = directory, {}
        self._used_keys.clear()
        self._new_entries.clear()
        found: Any = cache.cached_entry(_name(), PACKS)
        if isinstance(found, dict):
            self._known = found


def _name() -> str:
    """Return the name of the file, which contains the stamp of the code that makes its values.

    Nodes of another compiler are never loaded, nor the words that another version of unused_words.py found in a text.
    """
    return cache.cache_key(b"files", cache.compiler_stamp("compiler", "rulewright/library", "rulewright/checks"))


pack = FileArchive()
atexit.register(pack.write_entries)
