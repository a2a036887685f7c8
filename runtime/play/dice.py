"""Dice: the one place where chance comes from.

Die number n of a stream depends on the seed, the stream and n, on nothing else: a number is the hash
of where it is thrown (counter-based generation; Salmon, Moraes, Dror and Shaw, "Parallel random
numbers: as easy as 1, 2, 3", 2011). So a game need only remember what it has thrown; copying and
undoing cost nothing; and no release of Python throws anything else.

Two stacks that play the same seed throw the same numbers, which is what makes comparing them cheap
(common random numbers, Hammersley and Handscomb 1964, chapter 4). They part as soon as one of them
throws a die more. So there is not one stream of dice but one for every procedure in every phase of
every player's turn: games that have parted throw the same again from the next phase on, and a new
procedure that throws dice of its own moves nobody else's (synchronization; Law and Kelton,
"Simulation Modeling and Analysis", chapter 11). The number is the share of its domain that the hash
shows, so two dice of unlike size, or choices among unlike many options, lean the same way.

A seed that begins with `action/` keeps more together: there a die also belongs to what its procedure is about, the
pieces and hexes it was given or has chosen (runtime/graph/dice_subjects.py). So the same attack on the same piece
throws the same in both games of a pair, whatever else was thrown in that phase. The seed is part of all that is kept
of a game, and says with which dice it was played.

Players draw from streams of their own, named after their side and begun again for every choice: what
a player ponders never moves a die, nor what it will draw for its next choice; and a game that is taken
up from its record, or after an undo, goes on as it would have.
"""

from collections.abc import Iterable
from hashlib import blake2b

# Eight bytes of the hash: a number below six comes out uneven by less than 1 in 10**18.
BYTES = 8
BITS = 8 * BYTES


def throw(seed: str, place: str, low: int, high: int) -> int:
    """Throw the die of this place of the game with this seed."""
    return low + draw_below(high - low + 1, f"{seed}:{place}")


def draw_below(options: int, place: str) -> int:
    """Draw one of so many, all alike, counted from 0; the same place always gives the same."""
    return int.from_bytes(blake2b(place.encode(), digest_size=BYTES).digest()) * options >> BITS


def describe_die(subjects: Iterable[int | Iterable[int]]) -> str:
    """Name what a procedure is about by a hash of it: pieces and hexes, or sets of them, by their numbers."""
    parts = (str(each) if isinstance(each, int) else ",".join(map(str, sorted(each))) for each in subjects)
    return f"/{int.from_bytes(blake2b(';'.join(parts).encode(), digest_size=BYTES).digest()):016x}"


class Stream:
    """A stream of chance that belongs to one player of one game."""

    __slots__ = ("__weakref__", "_drawn", "_moment", "_name")

    def __init__(self, seed: str, name: str) -> None:
        """Open the stream."""
        # Hashes of places as far as these agree: in one stream, and in one moment.
        self._name = self._moment = blake2b(f"{seed}/{name}/".encode(), digest_size=BYTES)
        self.restart_at("")

    def restart_at(self, moment: str) -> None:
        """Begin anew for the choice of this moment (`Playthrough.moment`)."""
        self._moment = self._name.copy()
        self._moment.update(f"{moment}/".encode())
        self._drawn = 0

    def seed(self) -> str:
        """Return a seed for what is tried out at the choice of this moment; that takes no chance from the choice."""
        return str(int.from_bytes(self._moment.digest()))

    def draw(self, options: int) -> int:
        """Draw one of so many, all alike, counted from 0; to draw one of one takes no chance, but counts."""
        self._drawn += 1
        if options == 1:
            return 0
        place = self._moment.copy()
        place.update(b"%d" % self._drawn)
        return int.from_bytes(place.digest()) * options >> BITS
