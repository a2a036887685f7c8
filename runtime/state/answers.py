"""Memo tables of a state, valid until the next event.

In: the identity of a table, and the arguments of a question. Out: the memoized answer, if any. An event clears the
tables of its state, and a branch of a state shares its tables until an event in one of the two; so no dependencies have
to be recorded. Tables that survive unrelated events were measured against these (docs/architecture.md).
"""

from typing import Any


class MemoTable:
    """The identity of a memo table, equal only to itself: two stacks share maps, but no answers."""

    __slots__ = ()


class Answers(dict[object, dict[Any, Any]]):
    """The memo tables of one position, created on demand."""

    __slots__ = ()

    def __missing__(self, table: object) -> dict[Any, Any]:
        answers = self[table] = {}
        return answers
