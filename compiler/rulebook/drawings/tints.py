"""Assign tints to declared words: the tint of a word is the same in every book.

The input is the words of a graph; the output is for each a hue, a pattern of hatching, and the strength of its tint. No
word is built in. A word that ends the name of a pigment (`gray` in `dimgray`) has its color; any other has one computed
from its letters, so that it does not change when a game declares more words. Color is redundant: each drawing also
prints the word, and hatching distinguishes tints in print.
"""

import math
from collections.abc import Sequence
from hashlib import sha256

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

# The salt was chosen by inspection of printed maps: with it, ground tends to look like ground.
SALT = "20007713"

# Hue, saturation and depth of inks that match on a map: greens, blues, earths, stone.
INKS = (
    (96, 34, 0), (118, 28, 1), (84, 32, 1), (66, 38, 0), (205, 46, 0), (210, 54, 1), (192, 40, 0), (36, 44, 0),
    (28, 42, 1), (20, 38, 1), (50, 50, 0), (46, 34, 0), (30, 8, 1), (215, 9, 1), (150, 22, 1), (330, 18, 0),
)  # fmt: skip

PIGMENTS = {
    "saddlebrown": (28, 62, 2), "darkorange": (32, 90, 2), "forestgreen": (125, 50, 2), "dimgray": (220, 6, 2),
    "firebrick": (4, 62, 2), "steelblue": (208, 52, 2), "gold": (46, 84, 2), "crimsonred": (352, 66, 2),
    "royalblue": (222, 60, 2), "deeppurple": (280, 40, 2), "paleyellow": (52, 80, 1), "coalblack": (220, 10, 3),
}  # fmt: skip

# Below this distance on the disk of hues (radius: saturation) two tints of sides look alike.
LEAST_DISTANCE = 19

PATTERNS = ("", "dots", "rise", "fall", "waves", "cross")


@frozen_dataclass
class Tint:
    """A hue in degrees, a saturation in percent, a depth (0 pale to 3 dark) and a hatching."""

    hue: int
    saturation: int
    depth: int
    pattern: str

    @property
    def style(self) -> str:
        """Return the tint as custom properties; the style sheet converts them to colors, by day or night."""
        return f"--h:{self.hue};--s:{self.saturation}%;--d:{self.depth}"


def tint_of(word: str) -> Tint:
    """Return the tint of a word."""
    for pigment, (hue, saturation, depth) in PIGMENTS.items():
        if pigment.endswith(word):
            return Tint(hue, saturation, depth, "")
    mark = sha256(f"{SALT}:{word}".encode()).digest()
    hue, saturation, depth = INKS[mark[0] % len(INKS)]
    return Tint(hue, saturation, depth, PATTERNS[mark[1] % len(PATTERNS)])


def side_tint(side: str, vocabulary: graph.Vocabulary) -> Tint:
    """Return the tint of a side: that of its name, unless a side declared before it has a similar one."""
    declared = vocabulary.enums.get("side")
    earlier_tints: list[Tint] = []
    for member in declared.members if declared else ():
        tint = _distinct_tint(member.name, earlier_tints)
        if member.name == side:
            return tint
        earlier_tints.append(tint)
    return tint_of(side)


def _distinct_tint(word: str, earlier_tints: Sequence[Tint]) -> Tint:
    """Return the tint of a word; if it resembles an earlier one, the ink that differs most from all of these."""
    named_tint = tint_of(word)
    if all(tint_distance(named_tint, other) >= LEAST_DISTANCE for other in earlier_tints):
        return named_tint
    inks = (Tint(*ink, named_tint.pattern) for ink in INKS)
    return max(inks, key=lambda ink: min(tint_distance(ink, other) for other in earlier_tints))


def tint_distance(one: Tint, other: Tint) -> float:
    """Return how different two tints look: the distance on a disk of hues, with the saturation as radius."""
    first, second = (
        (tint.saturation * math.cos(math.radians(tint.hue)), tint.saturation * math.sin(math.radians(tint.hue)))
        for tint in (one, other)
    )
    return math.dist(first, second)
