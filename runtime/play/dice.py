"""Dice: the one place where chance comes from.

Die number n of a game depends on the seed and on n, on nothing else. So the only thing a game
must remember of its dice is how many it has thrown; copying and undoing cost nothing; and two
stacks that play the same seed throw the same numbers, which is what makes comparing them cheap
(common random numbers, Hammersley and Handscomb 1964, chapter 4).

Players draw from streams of their own, named after their side: what a player ponders never
moves a die.
"""

from random import Random


def throw(seed: str, number: int, low: int, high: int) -> int:
    """Throw die `number` of the game with this seed."""
    # A fresh generator a die costs 8 us; the seed goes through SHA-512, so neighbors are unrelated.
    return Random(f"{seed}:{number}").randint(low, high)


class Stream:
    """A stream of chance that belongs to one player of one game, or to one experiment."""

    __slots__ = ("_random",)

    def __init__(self, seed: str, name: str) -> None:
        """Open the stream."""
        self._random = Random(f"{seed}/{name}")

    def draw(self, options: int) -> int:
        """Draw one of so many, all alike, counted from 0."""
        return self._random.randrange(options)
