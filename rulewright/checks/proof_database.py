"""The database of proofs of this process, which similar stacks share, such as one with another layer."""

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.query.database import Database

# An entry has some kilobytes; this is the number of distinct entries of a dozen large stacks.
_DATABASE = Database(capacity=10_000)


@contextmanager
def open_proof_database() -> Iterator[Database]:
    """Yield the database of proofs, locked against other threads."""
    with _DATABASE.lock:
        yield _DATABASE
