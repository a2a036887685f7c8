"""The random number generator of dice and draws.

Number n of a stream depends on the seed, the stream and n alone: it is a hash of its key (counter-based generation;
Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). So the state of the generator is
the list of dice thrown, copies and undo are free, and results do not depend on the release of Python.

Two stacks that play the same seed throw the same numbers, which reduces the variance of their comparison (common random
numbers, Hammersley and Handscomb 1964, chapter 4). With a single stream they would diverge as soon as one of them
throws an additional die. So each procedure in each phase of each player's turn has a stream of its own: games that have
diverged are synchronized again in the next phase, and a new procedure with dice does not affect the others
(synchronization; Law and Kelton, "Simulation Modeling and Analysis", chapter 11). A result is the quantile of its
domain at the hash, so that dice of different sizes, or choices among different numbers of options, are correlated.

With a seed that begins with `action/` a stream also depends on the subjects of its procedure, the pieces and hexes that
are its arguments or choices (runtime/graph/dice_subjects.py). So the same attack on the same piece has the same result
in both games of a pair, whatever else is thrown in that phase. The seed is stored with a game and determines its mode.

Players draw from streams of their own, keyed by side and restarted for every choice: a player's trials affect neither
dice nor its later choices, and a game that is continued from its record, or after an undo, has the same continuation.
"""

from collections.abc import Iterable
from hashlib import blake2b

# Eight bytes of the hash: the bias of a number below six is less than 1 in 10**18.
BYTES = 8
BITS = 8 * BYTES


def throw_die(seed: str, place: str, low: int, high: int) -> int:
    """Return the result of a die by seed and key."""
    return low + draw_below(high - low + 1, f"{seed}:{place}")


def draw_below(options: int, place: str) -> int:
    """Return a uniform index below `options`, a function of the key."""
    return int.from_bytes(blake2b(place.encode(), digest_size=BYTES).digest()) * options >> BITS


def describe_die(subjects: Iterable[int | Iterable[int]]) -> str:
    """Return the hash of a procedure's subjects: pieces and hexes, or sets of them, by index."""
    parts = (str(each) if isinstance(each, int) else ",".join(map(str, sorted(each))) for each in subjects)
    return f"/{int.from_bytes(blake2b(';'.join(parts).encode(), digest_size=BYTES).digest()):016x}"


class Stream:
    """The random stream of one player in one game."""

    __slots__ = ("__weakref__", "_drawn", "_moment", "_name")

    def __init__(self, seed: str, name: str) -> None:
        """Open the stream."""
        # Hash states of the common prefixes of keys: of the stream, and of a moment.
        self._name = self._moment = blake2b(f"{seed}/{name}/".encode(), digest_size=BYTES)
        self.restart_at("")

    def restart_at(self, moment: str) -> None:
        """Restart the stream for the choice of this moment (`Playthrough.moment`)."""
        self._moment = self._name.copy()
        self._moment.update(f"{moment}/".encode())
        self._drawn = 0

    def seed(self) -> str:
        """Return a seed for trials at the choice of this moment, independent of the draws of the choice."""
        return str(int.from_bytes(self._moment.digest()))

    def draw(self, options: int) -> int:
        """Return a uniform index below `options`; a draw from one option needs no hash, but counts."""
        self._drawn += 1
        if options == 1:
            return 0
        place = self._moment.copy()
        place.update(b"%d" % self._drawn)
        return int.from_bytes(place.digest()) * options >> BITS
