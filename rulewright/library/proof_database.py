"""The proofs of this process: a stack with one layer more, or one rule changed, depends mostly on the same."""

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.query.database import Database

# Some kilobytes each: what a dozen large stacks have apart.
_DATABASE = Database(capacity=10_000)


@contextmanager
def proved_before() -> Iterator[Database]:
    """Yield the database of proofs, locked against other threads."""
    with _DATABASE.lock:
        yield _DATABASE
