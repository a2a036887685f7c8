"""The random number generator of dice and draws.

A seed becomes a key of 64 bits once a game, by BLAKE2b; from there on all is arithmetic. Number n of a stream is a
function of its key and n alone: the n-th output of SplitMix64 that starts at the key (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", 2014; counter-based generation: Salmon, Moraes, Dror and Shaw, "Parallel
random numbers: as easy as 1, 2, 3", 2011). A number of a stream may itself be the key of a stream, so streams form a
tree, as those of a splittable generator do; no key has both numbers that are used and streams below it. So the state of
the generator is the list of dice thrown, copies and undo are free, and results do not depend on the release of Python.
`compiler/wasm/chance.wat` has the same arithmetic.

Two stacks that play the same seed throw the same numbers, which reduces the variance of their comparison (common random
numbers, Hammersley and Handscomb 1964, chapter 4). With a single stream they would diverge as soon as one of them
throws an additional die. So each procedure in each phase of each player's turn has a stream of its own: games that have
diverged are synchronized again in the next phase, and a new procedure with dice does not affect the others
(synchronization; Law and Kelton, "Simulation Modeling and Analysis", chapter 11). A result is the quantile of its
domain at the number, so that dice of different sizes, or choices among different numbers of options, are correlated.

With a seed that begins with `action/` a stream also depends on the subjects of its procedure, the pieces and hexes that
are its arguments or choices (runtime/graph/dice_subjects.py). So the same attack on the same piece has the same result
in both games of a pair, whatever else is thrown in that phase. The seed is stored with a game and determines its mode.

Players draw from streams of their own, keyed by side and restarted for every choice: a player's trials affect neither
dice nor its later choices, and a game that is continued from its record, or after an undo, has the same continuation.
"""

from collections.abc import Iterable
from functools import lru_cache

from runtime.graph.digest import text_key
from runtime.state.moment import Moment, Phase

WORD = (1 << 64) - 1
# The distance of the states of SplitMix64: 2**64 divided by the golden ratio, and odd.
GOLDEN_GAMMA = 0x9E3779B97F4A7C15
# The streams of phases and texts that are remembered: several games of a comparison at a time.
MOST_KEYS = 4096


key_of_text = lru_cache(MOST_KEYS)(text_key)


def random_number(key: int, index: int) -> int:
    """Return a number of a stream, from 0 to 2**64 - 1: output `index` of SplitMix64, the first one being 0.

    The mixing function is variant 13 of Stafford, "Better bit mixing", 2011.
    """
    mixed = (key + (index + 1) * GOLDEN_GAMMA) & WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & WORD
    return mixed ^ mixed >> 31


def draw_below(options: int, number: int) -> int:
    """Return the index below `options` that a random number stands for; each is equally likely.

    It is the upper half of their product. Numbers that would make some indices likelier, fewer than `options` of 2**64,
    are replaced by the first one of their own stream (Lemire, "Fast random integer generation in an interval", 2019).
    """
    product = number * options
    if product & WORD < options:
        least = (WORD + 1) % options
        while product & WORD < least:
            number = random_number(number, 0)
            product = number * options
    return product >> 64


@lru_cache(MOST_KEYS)
def _phase_key(seed_key: int, phase: Phase) -> int:
    """Return the key below which a game has its streams of a phase."""
    key = random_number(seed_key, phase.turn)
    return random_number(random_number(key, key_of_text(phase.player)), key_of_text(phase.name))


def procedure_key(seed_key: int, phase: Phase, procedure: str, subject: int = 0) -> int:
    """Return the key of the stream of a procedure in a phase, with a `subject` of the dice for what they are thrown."""
    key = random_number(_phase_key(seed_key, phase), key_of_text(procedure))
    return random_number(key, subject) if subject else key


def subject_key(subjects: Iterable[int | Iterable[int]]) -> int:
    """Return the key of a procedure's subjects: pieces and hexes, or sets of them, by index."""
    key = 0
    for subject in subjects:
        members = (subject,) if isinstance(subject, int) else (len(members := sorted(subject)), *members)
        for member in members:
            key = random_number(key, member)
    return key


class Stream:
    """The random stream of one player in one game."""

    __slots__ = ("__weakref__", "_drawn", "_key", "_seed_key", "_side_key")

    def __init__(self, seed: str, name: str) -> None:
        """Open the stream."""
        self._seed_key = key_of_text(seed)
        self._side_key = key_of_text(name)
        # Until it is restarted at a choice, the stream of the name alone.
        self._key = random_number(self._seed_key, self._side_key)
        self._drawn = 0

    def restart_at(self, moment: Moment) -> None:
        """Restart the stream for the choice of this moment (`Playthrough.moment`)."""
        key = random_number(_phase_key(self._seed_key, moment.phase), self._side_key)
        self._key = random_number(key, moment.number)
        self._drawn = 0

    def seed(self) -> str:
        """Return a seed for trials at the choice of this moment, independent of the draws of the choice."""
        return str(self._key)

    def draw(self, options: int) -> int:
        """Return a uniform index below `options`; a draw from one option needs no number, but counts."""
        self._drawn += 1
        return 0 if options == 1 else draw_below(options, random_number(self._key, self._drawn - 1))
