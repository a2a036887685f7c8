"""Estimate an effect with several budgets of one player: over all of them, and how much they differ.

In: a tally and the names of the seatings. Out: a `ShareTrend` for each difference of rules, each kind of player with
several budgets, and each share (agreement.py). Games of one seed are one observation, whichever budget played them:

- the effects with all budgets are added by seed. "The rules change nothing with any budget" is tested by all signs of
  these sums (level_difference.py), which is exact, as both games of a pair may be exchanged with all budgets at once;
  the shares of all differences are tested together (Holm), with half of the 5 percent.
- two budgets are compared by the difference of their effects by seed. All such intervals hold together (Bonferroni),
  with the other half: each share has an equal part of it, of which the least budget and the largest have four fifths,
  as effects usually grow or shrink steadily, and all other pairs of budgets the rest.
- that more than half of an effect is left with the largest budget is tested by twice this effect less that of the least
  budget. That it is not and that budgets do not differ exclude each other, so both have the same four fifths; where
  there is no effect at all, the direction is wrong first.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

from runtime.experiment.agreement import compared_shares, mean_effect
from runtime.experiment.level_difference import sign_flip_evidence, sign_flip_p
from runtime.experiment.multiple_tests import ERROR, adjust_p_values, p_from_log
from runtime.experiment.share_intervals import Estimate, Spread
from runtime.experiment.statistical_power import POWER
from runtime.experiment.tally import Tally
from runtime.players.player_names import budget_of

# The part of the error that is spent on the direction of effects; the rest is spent on differences between budgets.
OF_DIRECTION = 0.5
# The part of the latter that is spent on the difference between the least budget and the largest.
OF_ENDS = 0.8


class PairCounts(NamedTuple):
    """The pairs with which four experiments of five establish an effect; 0 if none was observed.

    `for_seen`: the pooled effect; `for_margin`: one of the margin; `for_kept`: that more than half of the pooled effect
    is left with the largest budget, if all of it is.
    """

    for_seen: int
    for_margin: int
    for_kept: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareTrend:
    """The effect on one share with each budget of a player, the least first: `estimates`.

    `side`: NOBODY for draws, LEAD for the lead in levels of the counted side. `pooled`: the mean over all budgets with
    its interval at 95 percent, and `p_adjusted` and `p_any_time` of "no effect", adjusted for all shares and
    differences. `change`: from the least budget to the largest; its interval holds together with all other comparisons
    of budgets, and `is_heterogeneous` is whether any of these excludes zero. `is_kept`: whether more than half of the
    effect is left with the largest budget.
    """

    rules: str
    than: str
    players: tuple[str, ...]
    side: str
    estimates: tuple[float, ...]
    pooled: Estimate
    change: Estimate
    is_heterogeneous: bool
    is_kept: bool
    p_adjusted: float
    p_any_time: float
    needed: PairCounts

    @property
    def estimate(self) -> float:
        """Return the mean effect over all budgets."""
        return self.pooled.mean

    @property
    def has_one_direction(self) -> bool:
        """Return whether the effect has the same sign with each budget."""
        return all(each * self.estimate > 0 for each in self.estimates)


def budgeted_players(players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the players of each kind with several budgets, the least first."""
    kinds: dict[tuple[str, bool], list[tuple[float, str]]] = defaultdict(list)
    for name in dict.fromkeys(players):
        if found := budget_of(name):
            kinds[found[0], found[1].in_seconds].append((found[1].amount, name))
    return tuple(tuple(name for _, name in sorted(named)) for _, named in sorted(kinds.items()) if len(named) > 1)


def share_trends(tally: Tally, players: Sequence[str], sides: Sequence[str], margin: float) -> tuple[ShareTrend, ...]:
    """Compute the effect on each share with all budgets of each kind of player, for every pairing."""
    rows = [
        (pairing, seats, side, sums)
        for names in budgeted_players(players)
        if (seats := [players.index(name) for name in names])
        for pairing, gaps in enumerate(tally.gaps)
        for side in compared_shares([gaps[seat] for seat in seats], sides, tally.side)
        if (sums := tally.effect_sums(pairing, side, dict.fromkeys(seats, 1)))
    ]
    ps = adjust_p_values([sign_flip_p(sums) / OF_DIRECTION for *_, sums in rows])
    any_time = adjust_p_values([p_from_log(sign_flip_evidence(sums)) / OF_DIRECTION for *_, sums in rows])
    error = ERROR * (1 - OF_DIRECTION) / max(1, len(rows))
    return tuple(
        _share_trend(_BudgetEffects(tally, *row, margin, error), players, p, p_any_time)
        for row, p, p_any_time in zip(rows, ps, any_time, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _BudgetEffects:
    """The effects on one share in one pairing with several budgets, the least first, by the seats in `tally`.

    `sums` are those of all budgets by seed; `error` is the part of the 5 percent that comparisons of budgets have.
    """

    tally: Tally
    pairing: int
    seats: Sequence[int]
    side: str
    sums: Counter[int | Fraction]
    margin: float
    error: float

    def effect_sums_of(self, weights: Mapping[int, int]) -> Counter[int | Fraction]:
        """Return the weighted sums of the effects in these seats, by seed."""
        return self.tally.effect_sums(self.pairing, self.side, weights)

    def changes(self) -> list[Estimate]:
        """Return the difference of each two budgets, that of the least and the largest first."""
        ends, *others = sorted(combinations(self.seats, 2), key=lambda pair: pair != (self.seats[0], self.seats[-1]))
        of_other = self.error * (1 - OF_ENDS) / max(1, len(others))
        return [
            mean_effect(Spread.of(self.effect_sums_of({less: -1, more: 1})), self.side, 2, error)
            for (less, more), error in [(ends, self.error_of_ends), *((pair, of_other) for pair in others)]
        ]

    @property
    def error_of_ends(self) -> float:
        """Return the part of the error that the comparison of the least budget and the largest has."""
        return self.error * (OF_ENDS if len(self.seats) > 2 else 1)

    def pairs_needed(self, pooled: Estimate) -> PairCounts:
        """Return how many pairs are needed; `pooled` is the sum of the effects with all budgets."""
        return PairCounts(
            for_seen=_pairs_needed(self.sums, pooled.mean, self.error),
            for_margin=_pairs_needed(self.sums, self.margin * len(self.seats), self.error),
            for_kept=_pairs_needed(self.end_effect_sums(), pooled.mean / len(self.seats), self.error_of_ends),
        )

    def end_effect_sums(self) -> Counter[int | Fraction]:
        """Return twice the effect with the largest budget less that with the least, by seed."""
        return self.effect_sums_of({self.seats[0]: -1, self.seats[-1]: 2})


def _share_trend(effects: _BudgetEffects, players: Sequence[str], p: float, p_any_time: float) -> ShareTrend:
    """Return the trend of one share, with its adjusted p-values."""
    tally, side, seats = effects.tally, effects.side, effects.seats
    pooled = mean_effect(Spread.of(effects.sums), side, len(seats))
    kept_interval = mean_effect(Spread.of(effects.end_effect_sums()), side, 3, effects.error_of_ends).interval
    changes = effects.changes()
    return ShareTrend(
        rules=tally.stacks[tally.pairings[effects.pairing].second],
        than=tally.stacks[tally.pairings[effects.pairing].first],
        players=tuple(players[seat] for seat in seats),
        side=side,
        estimates=tuple(Spread.of(effects.effect_sums_of({seat: 1})).mean() for seat in seats),
        pooled=pooled.divided(len(seats)),
        change=changes[0],
        is_heterogeneous=any(not low <= 0 <= high for _, (low, high), *_ in changes),
        is_kept=kept_interval.low > 0 if pooled.mean > 0 else kept_interval.high < 0,
        p_adjusted=p,
        p_any_time=p_any_time,
        needed=effects.pairs_needed(pooled),
    )


def _pairs_needed(sums: Counter[int | Fraction], effect: float, error: float) -> int:
    """Return in how many pairs four experiments of five establish an effect on such sums; 0 for no effect."""
    factor = NormalDist().inv_cdf(1 - error / 2) + NormalDist().inv_cdf(POWER)
    return math.ceil(factor**2 * Spread.of(sums).regularized(3).variance() / effect**2) if effect else 0
