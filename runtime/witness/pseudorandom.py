"""A stream of pseudo-random choices for searches, seeded by the question that is searched for.

These are not dice: they are not part of a game and not recorded. The same question must lead to the same witness in
every process, so that the seed is a hash of its text and the stream is defined here: the linear congruential generator
of Knuth's MMIX (The Art of Computer Programming 2, 3.3.4), upper bits only.
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
        """Return a random number from 0 to `limit` - 1."""
        self._state = (self._state * MULTIPLIER + ADDEND) & MASK
        return ((self._state >> 32) * limit) >> 32

    def pick(self, among: Sequence[T]) -> T:
        """Return a random member."""
        return among[self.number_below(len(among))]

    def pick_or_none(self, among: Sequence[T]) -> T | None:
        """Return a random member; None if there is none."""
        return self.pick(among) if among else None

    def one_in(self, times: int) -> bool:
        """Return yes with probability 1 / `times`."""
        return self.number_below(times) == 0
