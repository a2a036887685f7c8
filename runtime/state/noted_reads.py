"""A state that notes what is read of it: statuses, tracks, pairs and who stands in a hex, each with its subject.

In: a state, and whoever answers by its methods (the reference interpreter does). Out: the same answers, and what they
were read from, in the order in which it was first read.
"""

from typing import NamedTuple, Self

from runtime.state.position import State
from runtime.state.record import Value


class PartRead(NamedTuple):
    """A part of a position: what it is (mark, track, fact, pairs, here), its key, and whose; None of the whole game.

    As "pairs": those of a relation in which a piece stands; as "here": who stands in a hex.
    """

    what: str
    key: str
    subject: Value


class ReadState(State):
    """A copy of a state that notes what is read of it."""

    __slots__ = ("reads",)
    reads: dict[PartRead, None]

    @classmethod
    def copy_of(cls, state: State) -> Self:
        """Copy a state; nothing has been read of it yet."""
        copied = object.__new__(cls)
        plain = state.copy()
        for name in State.__slots__:
            setattr(copied, name, getattr(plain, name))
        copied.reads = {}
        return copied

    def is_marked(self, key: str, subject: Value) -> bool:
        """Note that a status was looked at."""
        self.reads[PartRead("mark", key, subject)] = None
        return super().is_marked(key, subject)

    def track(self, key: str, subject: Value) -> Value:
        """Note that a track was read."""
        self.reads[PartRead("track", key, subject)] = None
        return super().track(key, subject)

    def fact(self, key: str) -> Value:
        """Note that a track of the game was read."""
        self.reads[PartRead("fact", key, None)] = None
        return super().fact(key)

    def partners(self, relation: str, end: str, piece: int) -> tuple[int, ...]:
        """Note that the pairs of a piece were looked at."""
        self.reads[PartRead("pairs", relation, piece)] = None
        return super().partners(relation, end, piece)

    def pieces_at(self, h: int, kinds: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Note that it was looked at who stands in a hex."""
        self.reads[PartRead("here", "", h)] = None
        return super().pieces_at(h, kinds)
