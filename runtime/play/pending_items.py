"""Steps in progress: the items that are pending in a running procedure beside the numbers of its steps.

They are plain, immutable values, so that a game can be copied, hashed, and continued in another process. A suspended
Python generator can be neither copied nor stored.
"""

from typing import NamedTuple

from runtime.state.record import Value


class LoopItem(NamedTuple):
    """The rest of a loop, by the number of its step: its members, the index of the next one.

    `written` are those members that were written records when it began.
    """

    number: int
    members: tuple[Value, ...]
    next_index: int
    written: tuple[Value, ...]


class RoundsItem(NamedTuple):
    """The rest of a loop of the clock: its members, and the index of the next one."""

    number: int
    members: tuple[Value, ...]
    next_index: int


class EndOfMoment(NamedTuple):
    """The end of a moment; its hooks run first."""

    moment: str


class Expiry(NamedTuple):
    """The reset of what lasts until the end of a moment."""

    moment: str


class ReturnItem(NamedTuple):
    """The return from an action whose subject is gone; it follows every event that the action emits."""


StartedItem = LoopItem | RoundsItem | EndOfMoment | Expiry | ReturnItem
