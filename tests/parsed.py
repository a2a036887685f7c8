"""Files as they were parsed, for compilers that shall know nothing else of what was compiled before."""

from collections.abc import Callable
from typing import TypeVar, cast

from compiler.query.database import Database

T = TypeVar("T")

# The shipped rules, and what is planted in some hundred of their files.
MOST = 2_000


class ParsedTexts:
    """The texts parsed in this process, by name and hash of the text: another text is parsed for itself."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._known: dict[tuple[str, str], object] = {}

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Return what a text was parsed into, or parse it."""
        if (name, digest) not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[name, digest] = make()
        return cast("T", self._known[name, digest])


_PARSED = ParsedTexts()


def unused_database() -> Database:
    """Return a database without a memo. Only parsing, half of the work of a compile, is shared with those before it."""
    return Database(_PARSED)
