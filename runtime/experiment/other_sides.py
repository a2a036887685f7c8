"""How often the other sides win, beside the one whose wins are counted.

In: for each pair of games, who won either. Out: a `SideDifference` for each other side of the card. Where games are
drawn, the wins of one side do not tell those of another: a change may leave the first as it is and give the second what
was drawn before, or help both alike. The tests allow for all sides, and for all differences that are looked at
(Bonferroni), those of the side that is counted among them.
"""

from collections.abc import Mapping, Sequence

from runtime.experiment.evidence import p_any_time
from runtime.experiment.intervals import Interval, Pairs, mcnemar, newcombe
from runtime.graph.frozen import dataclass


@dataclass(frozen=True, slots=True)
class SideDifference:
    """The share of wins of another side, under the later rules minus the earlier; the p-values allow for all tests."""

    side: str
    pairs: Pairs
    estimate: float
    interval: Interval
    p: float
    p_any_time: float


def pairs_of(winners: Mapping[tuple[str, str], int], side: str) -> Pairs:
    """Return how often a side won both games of a pair, only the first, only the second, and neither."""
    counts = [0, 0, 0, 0]
    for (first, second), times in winners.items():
        counts[2 * (first != side) + (second != side)] += times
    return Pairs(*counts)


def other_sides(
    winners: Mapping[tuple[str, str], int], sides: Sequence[str], side: str, tests: int
) -> tuple[SideDifference, ...]:
    """Compare the wins of all sides but one; `tests` is how many p-values are looked at in all."""
    found = ((name, pairs_of(winners, name)) for name in sides if name != side)
    return tuple(
        SideDifference(
            name,
            pairs,
            (pairs.second - pairs.first) / pairs.n,
            newcombe(pairs),
            min(1.0, mcnemar(pairs) * tests),
            min(1.0, p_any_time(pairs) * tests),
        )
        for name, pairs in found
    )
