"""Answers that hold for one position: memo tables, which live until the next event.

In: the identity of a table, and the arguments of a question. Out: the answer, if it was found in this position before.
An event gives its state empty tables, and a branch of a state has the same tables until something happens in one of
the two; so nothing has to be known of what answers rest on. Tables that outlived the events which do not concern them
were measured against these (docs/architecture.md).
"""

from typing import Any


class MemoTable:
    """The identity of a table. It equals nothing but itself: two stacks share maps, and no answers."""

    __slots__ = ()


class Answers(dict[object, dict[Any, Any]]):
    """The tables of one position, by their identities; each is made when it is first looked into."""

    __slots__ = ()

    def __missing__(self, table: object) -> dict[Any, Any]:
        made = self[table] = {}
        return made
