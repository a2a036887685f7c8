"""Gaps of one in lines of hexsides, and hexes of a region that lack the ground which all others have.

In: a board laid out, as `misprints` has it. Out: the places that look like slips: hexsides first, then hexes.
A hexside leads from one corner to another, and a corner lies where three hexes meet, so that a line of hexsides ends in
a corner at which no other of its feature lies.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from compiler.typed.situations.grid import Spot

Pair = frozenset[Spot]
Corner = frozenset[Spot]
Near = Callable[[Spot], Sequence[Spot]]

# A feature is one of lines if it has so many hexsides, and at so many of its corners no more than two of them meet.
FEWEST_SIDES, LINES = 8, 0.9
# Of a feature with more ends than these nothing is expected.
MOST_ENDS = 6
# So many other hexes of a region have a ground in common, which no more than this share of the board has.
FEWEST_ALIKE, RARE = 4, 0.25


def line_gaps(sides: Mapping[Pair, object], near: Near) -> Iterator[tuple[Pair, Pair]]:
    """Yield each hexside that would join two ends of lines, with the hexside beside it at which one of them ends."""
    meeting: Counter[Corner] = Counter(corner for pair in sides for corner in side_ends(pair, near))
    if len(sides) < FEWEST_SIDES or sum(many <= 2 for many in meeting.values()) < LINES * len(meeting):
        return
    ends = {corner for corner, many in meeting.items() if many == 1}
    if len(ends) > MOST_ENDS:
        return
    last = {corner: pair for pair in sides for corner in side_ends(pair, near) if corner in ends}
    between = {frozenset((one, other)) for corner in ends for one in corner for other in corner if one != other}
    for pair in sorted(between - sides.keys(), key=sorted):
        found = [corner for corner in side_ends(pair, near) if corner in ends]
        if len(found) == 2 and last[found[0]] != last[found[1]]:
            yield pair, last[found[0]]


def side_ends(pair: Pair, near: Near) -> list[Corner]:
    """List the ends of a hexside; one that lies at the rim of the board is left out."""
    one, other = pair
    return [frozenset((one, other, third)) for third in near(one) if third in near(other)]


def without_ground(
    hexes: Sequence[Spot], ground: Mapping[str, Mapping[Spot, object]], size: int
) -> tuple[Spot, str] | None:
    """Return the only hex of a region without the ground that all others of it have, and that ground."""
    for feature, there in ground.items():
        lacking = [spot for spot in hexes if spot not in there]
        if len(lacking) == 1 and len(hexes) > FEWEST_ALIKE and len(there) <= RARE * size:
            return lacking[0], feature
    return None
