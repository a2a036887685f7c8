"""Compute what a stack changes, from pairs of games: how often each side wins, how often games are drawn, and levels.

The input is a tally; the output is an `ArmDifference` for each pair of stacks and each seating. The wins of one side do
not determine those of another where games are drawn, or where three sides play: a change may turn draws into wins of
one side, or help two alike. So there is an interval for the wins of each side, for draws, and for the lead in levels of
the counted side, if levels have bounds.

Whatever is claimed is read off these intervals. One of them misses with a probability of 5 percent at most: each has an
equal part of it, fixed before the first game (`interval_error`). Losses, turns and decisions are means, of which
nothing is claimed.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from runtime.experiment.change_use import ChangeUse, change_uses
from runtime.experiment.mean_interval import ERROR, ConfidenceInterval, mean_interval
from runtime.experiment.tally import ArmTally, PairedTally, Tally
from runtime.graph.frozen_dataclass import frozen_dataclass

# The winners of the games of both stacks, NOBODY for a draw, and the number of such pairs.
WinCounts = Mapping[tuple[str, str], int]
NOBODY = ""
# Standard errors within which 95 percent of the means of a normal distribution are.
NORMAL_95 = 1.96


class _PairCounts(NamedTuple):
    """Paired yes-or-no results: how often both, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return sum(self)


@frozen_dataclass
class SideDifference:
    """The share of wins of a side (of drawn games: NOBODY), under the later rules minus the earlier.

    `title` is the noun phrase of the side. `opposite`: its wins are the losses of the counted side.
    """

    side: str
    title: str
    pairs: _PairCounts
    interval: ConfidenceInterval
    opposite: bool

    @property
    def estimate(self) -> float:
        """Return the difference in these pairs."""
        return (self.pairs.second - self.pairs.first) / self.pairs.n

    @property
    def differing_share(self) -> float:
        """Return the share of pairs that count under one of the rules only."""
        return (self.pairs.first + self.pairs.second) / self.pairs.n

    @property
    def is_established(self) -> bool:
        """Return whether it is established that the share changes."""
        return self.interval.excludes_zero


@frozen_dataclass
class LeadDifference:
    """The mean lead in levels of the counted side under either stack.

    `interval` is that of the mean change; None if levels have no bounds, or tell no more than who wins.
    """

    means: tuple[float, float]
    interval: ConfidenceInterval | None = None

    @property
    def change(self) -> float:
        """Return the change of the mean."""
        return self.means[1] - self.means[0]

    @property
    def is_established(self) -> bool:
        """Return whether it is established that the lead changes."""
        return self.interval is not None and self.interval.excludes_zero


class _LossChange(NamedTuple):
    """By how much the mean losses of a counter of a side change (counter "": of all counters).

    `interval` is that of this mean alone, by the normal approximation after so many pairs: it shows how much games
    vary, and nothing is claimed of it.
    """

    side: str
    counter: str
    change: float
    interval: ConfidenceInterval


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmDifference:
    """What `rules` change instead of `than`: `shares` of wins, of the counted side first, and of draws last.

    `equal_pairs`: pairs with the same winner, levels, turns and losses. `error`: the part of the error that each
    interval has. `turns`, `choices` and `losses` are changes of means. `tried` is the use of each
    change, `uncounted` what is changed besides. `turned_seeds` are the first seeds whose games have another winner.
    """

    rules: str
    than: str
    players: str
    shares: tuple[SideDifference, ...]
    lead: LeadDifference
    equal_pairs: int
    error: float
    turns: float
    choices: float
    losses: tuple[_LossChange, ...]
    tried: tuple[ChangeUse, ...] = ()
    uncounted: tuple[str, ...] = ()
    turned_seeds: tuple[str, ...] = ()

    @property
    def wins(self) -> SideDifference:
        """Return the share of wins of the counted side."""
        return self.shares[0]

    @property
    def established_shares(self) -> list[SideDifference]:
        """Return the shares of which it is established that they change."""
        return [share for share in self.shares if share.is_established]

    @property
    def pairs(self) -> int:
        """Return the number of pairs."""
        return self.wins.pairs.n

    @property
    def differing_share(self) -> float:
        """Return the largest share of pairs that count for a side, or as draws, under one of the rules only."""
        return max(share.differing_share for share in self.shares)

    @property
    def are_all_equal(self) -> bool:
        """Return whether all pairs of games came out the same."""
        return self.equal_pairs == self.pairs


def _interval_count(sides: Collection[str], largest_lead: int | Fraction | None) -> int:
    """Return how many intervals a difference has: for each side, for draws, and for levels if these have bounds."""
    share_count = len(sides) + 1 if len(sides) > 1 else 1
    return share_count + (largest_lead is not None)


def interval_error(tally: Tally, sides: Collection[str]) -> float:
    """Return the part of the error that each interval of an experiment has; a duel has one interval."""
    differences = tally.seatings * sum(_interval_count(sides, pairing.largest_lead) for pairing in tally.pairings)
    return ERROR / max(1, differences + len(tally.duels) * len(tally.stacks))


def compute_differences(tally: Tally, players: Sequence[str], sides: Mapping[str, str]) -> tuple[ArmDifference, ...]:
    """Return the difference of every two compared stacks with every seating, but where no pair was completed.

    `sides` have their noun phrases.
    """
    error = interval_error(tally, sides)
    differences: list[ArmDifference] = []
    for number, (pairing, gaps) in enumerate(zip(tally.pairings, tally.gaps, strict=True)):
        for seat, gap in enumerate(gaps):
            if not gap.n:
                continue
            first, second = tally.counts[seat][pairing.first], tally.counts[seat][pairing.second]
            changes = tally.changes[number] if tally.changes else None
            game_counts = first.counted_games, second.counted_games
            differences.append(
                ArmDifference(
                    rules=tally.stacks[pairing.second],
                    than=tally.stacks[pairing.first],
                    players=players[seat],
                    shares=_shares(gap.winners, sides, tally.side, error),
                    lead=_lead(gap, error),
                    equal_pairs=gap.equal_pairs,
                    error=error,
                    turns=mean_length(second) - mean_length(first),
                    choices=mean(second.choices, second.n) - mean(first.choices, first.n),
                    losses=tuple(_loss_changes(gap, (first, second))),
                    tried=change_uses(changes, first.used, second.used, game_counts, sides) if changes else (),
                    uncounted=changes.uncounted if changes else (),
                    turned_seeds=tuple(gap.turned_seeds),
                )
            )
    return tuple(differences)


def _shares(winners: WinCounts, sides: Mapping[str, str], counted: str, error: float) -> tuple[SideDifference, ...]:
    """Return the shares that sum to one; draws only where games are drawn."""
    others = [side for side in sides if side != counted]
    if others and any(NOBODY in pair for pair in winners):
        others.append(NOBODY)
    shares: list[SideDifference] = []
    for side in (counted, *others):
        pairs = _count_pairs(winners, side)
        counts = {1: pairs.second, 0: pairs.both + pairs.neither, -1: pairs.first}
        is_opposite = side != counted and all(
            {first, second} == {counted, side} for first, second in winners if first != second
        )
        interval = mean_interval(counts, -1, 1, error)
        shares.append(SideDifference(side, sides.get(side, ""), pairs, interval, is_opposite))
    return tuple(shares)


def _count_pairs(winners: WinCounts, side: str) -> _PairCounts:
    """Count how often a side won both games of a pair, only the first, only the second, and neither."""
    counts = [0, 0, 0, 0]
    for (first, second), times in winners.items():
        counts[2 * (first != side) + (second != side)] += times
    return _PairCounts(*counts)


def _lead(gap: PairedTally, error: float) -> LeadDifference:
    """Return the change of the lead; its interval where games with one winner differ in levels that have bounds."""
    before, after = (mean(total, gap.n) for total in gap.lead_sums)
    if not gap.unequal_leads or gap.largest_lead is None:
        return LeadDifference((before, after))
    most = 2 * gap.largest_lead
    return LeadDifference((before, after), mean_interval(gap.lead_changes, -most, most, error))


def _loss_changes(gap: PairedTally, arms: Sequence[ArmTally]) -> Iterator[_LossChange]:
    """Yield how the losses of each counter change, and those of each side as a whole (counter "")."""
    lost = {key for arm in arms for key in arm.lost}
    for side, counter in sorted({*lost, *((side, "") for side, _ in lost)}):
        counts: Mapping[int, int] = gap.loss_changes.get((side, counter), {})
        change = sum(value * times for value, times in counts.items()) / gap.n
        squares = sum(value * value * times for value, times in counts.items()) / gap.n
        margin = NORMAL_95 * math.sqrt(max(0.0, squares - change * change) / gap.n)
        yield _LossChange(side, counter, change, ConfidenceInterval(change - margin, change + margin))


def mean_length(arm: ArmTally) -> float:
    """Return the mean number of turns of a game."""
    return mean(sum(turns * times for turns, times in arm.lengths.items()), arm.n)


def mean(total: int | Fraction, n: int) -> float:
    """Compute a mean; 0 for no values."""
    return float(total / n) if n else 0.0
