"""A state that records reads: statuses, tracks, pairs and occupants of hexes, each with its subject.

In: a state, and an evaluator that reads it by its methods (as the reference interpreter does). Out: the same answers,
and the reads, in order of first occurrence.
"""

from typing import NamedTuple, Self

from runtime.state.position import State
from runtime.state.record import Value


class PartRead(NamedTuple):
    """A read: its kind (mark, track, fact, pairs, here), key and subject; the subject is None for the whole game.

    "pairs" are those of a relation that contain a piece; "here" are the occupants of a hex.
    """

    kind: str
    key: str
    subject: Value


class ReadState(State):
    """A copy of a state that records reads."""

    __slots__ = ("reads",)
    reads: dict[PartRead, None]

    @classmethod
    def copy_of(cls, state: State) -> Self:
        """Return a copy of a state, with an empty record of reads."""
        state_copy = object.__new__(cls)
        plain = state.copy()
        for name in State.__slots__:
            setattr(state_copy, name, getattr(plain, name))
        state_copy.reads = {}
        return state_copy

    def is_marked(self, key: str, subject: Value) -> bool:
        """Return whether a subject has a status, and record the read."""
        self.reads[PartRead("mark", key, subject)] = None
        return super().is_marked(key, subject)

    def track(self, key: str, subject: Value) -> Value:
        """Return the value of a track, and record the read."""
        self.reads[PartRead("track", key, subject)] = None
        return super().track(key, subject)

    def fact(self, key: str) -> Value:
        """Return the value of a track of the game, and record the read."""
        self.reads[PartRead("fact", key, None)] = None
        return super().fact(key)

    def partners(self, relation: str, end: str, piece: int) -> tuple[int, ...]:
        """Return the partners of a piece, and record the read of its pairs."""
        self.reads[PartRead("pairs", relation, piece)] = None
        return super().partners(relation, end, piece)

    def pieces_at(self, h: int, kinds: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Return the pieces in a hex, and record the read of its occupants."""
        self.reads[PartRead("here", "", h)] = None
        return super().pieces_at(h, kinds)
