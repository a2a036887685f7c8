"""Single gaps in lines of hexsides, and hexes of a region that lack the feature of all others.

In: an indexed board, as in `misprints`. Out: likely errors: hexsides first, then hexes. A hexside connects two corners,
and a corner is where three hexes meet, so that a line of hexsides ends in a corner at which no other hexside of its
feature ends.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from runtime.graph.hexes import Coordinates

Pair = frozenset[Coordinates]
CornerPoint = frozenset[Coordinates]
NeighborFunction = Callable[[Coordinates], Sequence[Coordinates]]

# A feature forms lines if it has at least so many hexsides, and at most two of them meet at this share of its corners.
FEWEST_SIDES, LINES = 8, 0.9
# A feature with more ends than this has no expected form.
MOST_ENDS = 6
# The number of other hexes of a region that have to have a feature, and the share of the board that may have it.
FEWEST_ALIKE, RARE = 4, 0.25


def line_gaps(sides: Mapping[Pair, object], neighbors: NeighborFunction) -> Iterator[tuple[Pair, Pair]]:
    """Yield each hexside that would join two ends of lines, with the hexside of the line that ends there."""
    meeting: Counter[CornerPoint] = Counter(corner for pair in sides for corner in side_ends(pair, neighbors))
    if len(sides) < FEWEST_SIDES or sum(many <= 2 for many in meeting.values()) < LINES * len(meeting):
        return
    ends = {corner for corner, many in meeting.items() if many == 1}
    if len(ends) > MOST_ENDS:
        return
    last = {corner: pair for pair in sides for corner in side_ends(pair, neighbors) if corner in ends}
    between = {frozenset((first, other)) for corner in ends for first in corner for other in corner if first != other}
    for pair in sorted(between - sides.keys(), key=sorted):
        found = [corner for corner in side_ends(pair, neighbors) if corner in ends]
        if len(found) == 2 and last[found[0]] != last[found[1]]:
            yield pair, last[found[0]]


def side_ends(pair: Pair, neighbors: NeighborFunction) -> list[CornerPoint]:
    """Return the corners of a hexside; one at the rim of the board is omitted."""
    first, other = pair
    return [frozenset((first, other, third)) for third in neighbors(first) if third in neighbors(other)]


def without_ground(
    hexes: Sequence[Coordinates], ground: Mapping[str, Mapping[Coordinates, object]], size: int
) -> tuple[Coordinates, str] | None:
    """Return the only hex of a region without a feature that all others of it have, and that feature.

    None if there is none.
    """
    for feature, feature_hexes in ground.items():
        exceptions = [hex_ for hex_ in hexes if hex_ not in feature_hexes]
        if len(exceptions) == 1 and len(hexes) > FEWEST_ALIKE and len(feature_hexes) <= RARE * size:
            return exceptions[0], feature
    return None
