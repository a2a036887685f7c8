"""Parsed files that databases without memos share, so that a new compiler repeats everything except parsing."""

from collections.abc import Callable
from typing import TypeVar, cast

from compiler.query.database import Database

T = TypeVar("T")

# More than the shipped files and the variants of them that tests write.
MOST = 2_000


class ParsedTexts:
    """The parsed files of this process, by file name and hash of the text."""

    def __init__(self) -> None:
        """Create an empty collection."""
        self._known: dict[tuple[str, str], object] = {}

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Return the result of parsing a text, stored or computed by `make`."""
        if (name, digest) not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[name, digest] = make()
        return cast("T", self._known[name, digest])


_PARSED = ParsedTexts()


def unused_database() -> Database:
    """Return a database without memos that shares parsed files with earlier ones; parsing is half of a compile."""
    return Database(_PARSED)
