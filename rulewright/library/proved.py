"""What this process has proved: a stack with one layer more, or one rule changed, rests mostly on the same."""

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.source.kept import Kept

_KEPT = Kept()
# Some kilobytes each: what a dozen large stacks have apart.
MOST = 30_000


@contextmanager
def proved_before() -> Iterator[Kept]:
    """Lend what was proved; nobody else proves anything meanwhile."""
    with _KEPT.lock:
        _KEPT.tidy(MOST)
        yield _KEPT
