"""What people report of their games, beside what players here made of the same rules.

In: how many games each side won of those reported, and of those played under the same rules. Out: for each side the
difference of the two shares, its interval, and Fisher's exact test of the hypothesis that the two shares are one. Games
that nobody won count as not won; of two sides where no game was drawn, the wins of one tell those of the other. People
do not report at random, and whoever played knew more or less than players here: the test says whether chance alone
accounts for the difference, not whose play is better.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from runtime.experiment.intervals import Interval, newcombe_independent, wilson_interval
from runtime.experiment.multiple_tests import ERROR, adjust_p_values


class Arm(Protocol):
    """Games that were played under one set of rules: how many, and how many of them the side won."""

    @property
    def rules(self) -> str:
        """Name the rules."""
        ...

    @property
    def players(self) -> str:
        """Name who played."""
        ...

    @property
    def n(self) -> int:
        """Count the games."""
        ...

    @property
    def won_by(self) -> tuple[tuple[str, int], ...]:
        """Count those that each side won."""
        ...


class DuelRecord(NamedTuple):
    """Games of two players who changed places."""

    rules: str
    players: str
    n: int
    won_by: tuple[tuple[str, int], ...]


# Tables as likely as the one seen are counted, though their chances are worked out by rounded logarithms.
ROUNDING = 1 + 1e-7


@dataclass(frozen=True, slots=True)
class Shares:
    """The wins of a side in one arm beside those in the games reported of its rules.

    `won_by` has all reported games, "" for nobody; `levels` those that the side won; `wins` is how many of the arm's it
    won. `estimate` is the share reported minus that of the arm, `p` Fisher's, `p_adjusted` for all that is compared.
    """

    rules: str
    players: str
    side: str
    won: int
    n: int
    reported: Interval
    won_by: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, int], ...]
    arm: Arm
    wins: int
    estimate: float
    interval: Interval
    p: float
    p_adjusted: float = 1.0

    @property
    def is_difference_significant(self) -> bool:
        """Return whether chance does not account for the difference."""
        return self.p_adjusted <= ERROR


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """So many games that ended alike: who won ("" for nobody), at what level ("" if none is reported)."""

    rules: str
    won: str
    level: str
    games: int


def fisher_p(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Give the two-sided p of Fisher's exact test for (won, played) twice: all tables no likelier than the one seen."""
    (won, played), (others, rest) = first, second
    wins, lowest = won + others, max(0, won + others - rest)
    chances = [_chance(each, played, wins, rest) for each in range(lowest, min(played, wins) + 1)]
    seen = chances[won - lowest]
    return min(1.0, math.fsum(each for each in chances if each <= seen * ROUNDING))


def _chance(won: int, played: int, wins: int, rest: int) -> float:
    """Return the chance that so many of the wins fall among those played: hypergeometric."""
    return math.exp(_log_binomial(played, won) + _log_binomial(rest, wins - won) - _log_binomial(played + rest, wins))


def _log_binomial(n: int, k: int) -> float:
    """Return the logarithm of how many ways there are to choose k of n."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def compare_reported(arms: Iterable[Arm], sides: Sequence[str], reported: Iterable[OutcomeCount]) -> tuple[Shares, ...]:
    """Compare every arm with the games that are reported of its rules, for each side; others are left out."""
    games: dict[str, list[OutcomeCount]] = {}
    for each in reported:
        games.setdefault(same_rules(each.rules), []).append(each)
    found = [
        _shares(arm, side, games[key])
        for arm in arms
        if (key := same_rules(arm.rules)) in games and arm.n
        for side in (sides if len(sides) > 2 or _is_drawn(arm, games[key]) else sides[:1])
    ]
    return tuple(
        replace(one, p_adjusted=p) for one, p in zip(found, adjust_p_values([one.p for one in found]), strict=True)
    )


def _is_drawn(arm: Arm, games: Iterable[OutcomeCount]) -> bool:
    """Return whether any game was drawn, here or there; else the wins of one of two sides tell those of the other."""
    return sum(won for _, won in arm.won_by) < arm.n or any(not each.won for each in games)


def same_rules(stack: str) -> str:
    """Write a stack so that the order of its options makes no difference."""
    base, *options = stack.split("+")
    return "+".join([base, *sorted(options)])


def _shares(arm: Arm, side: str, games: list[OutcomeCount]) -> Shares:
    won = _sums((each.won, each.games) for each in games)
    n, wins, others = sum(won.values()), won.get(side, 0), dict(arm.won_by).get(side, 0)
    levels = _sums((each.level, each.games) for each in games if each.won == side and each.level)
    return Shares(
        arm.rules,
        arm.players,
        side,
        wins,
        n,
        wilson_interval(wins, n),
        tuple(sorted(won.items())),
        tuple(sorted(levels.items())),
        arm,
        others,
        wins / n - others / arm.n,
        newcombe_independent((wins, n), (others, arm.n)),
        fisher_p((wins, n), (others, arm.n)),
    )


def _sums(counts: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    total: dict[str, int] = {}
    for key, count in counts:
        total[key] = total.get(key, 0) + count
    return total
