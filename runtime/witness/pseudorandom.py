"""A small stream of choices for searches, seeded by the question that is searched for.

Not dice: nothing here is part of a game, nothing is recorded. The same question must lead to the same
witness in every process, so the seed is a hash of its text and the stream is our own: the linear
congruential generator of Knuth's MMIX (The Art of Computer Programming 2, 3.3.4), upper bits only.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

MULTIPLIER, ADDEND, MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1

T = TypeVar("T")


class PseudoRandom:
    """A stream of choices."""

    __slots__ = ("_state",)

    def __init__(self, seed: str) -> None:
        self._state = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")

    def number_below(self, limit: int) -> int:
        """Pick a number from 0 to `limit` - 1."""
        self._state = (self._state * MULTIPLIER + ADDEND) & MASK
        return ((self._state >> 32) * limit) >> 32

    def pick(self, among: Sequence[T]) -> T:
        """Pick one of several."""
        return among[self.number_below(len(among))]

    def pick_or_none(self, among: Sequence[T]) -> T | None:
        """Pick one of several, if there is any."""
        return self.pick(among) if among else None

    def one_in(self, times: int) -> bool:
        """Say yes once in so many times."""
        return self.number_below(times) == 0
