"""Compare the results that people report of their games with those of players here under the same rules.

The input is the number of games each side won of those reported, and of those played under the same rules; the output
is for each side the difference of the two shares, its interval, and Fisher's exact test of the hypothesis that the two
shares are equal. Games without a winner count as not won; for two sides without drawn games, the wins of one determine
those of the other. People do not report at random, and have another strength than players here: the test states whether
chance alone explains the difference, not who plays better.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from runtime.experiment.multiple_tests import ERROR, adjust_p_values
from runtime.experiment.share_intervals import ConfidenceInterval, newcombe_independent, wilson_interval
from runtime.graph.grouping import group_by


class ReportedArm(Protocol):
    """Games that were played under one set of rules: their number, and how many of them each side won."""

    @property
    def rules(self) -> str:
        """Return the name of the rules."""
        ...

    @property
    def players(self) -> str:
        """Return the players."""
        ...

    @property
    def n(self) -> int:
        """Return the number of games."""
        ...

    @property
    def won_by(self) -> tuple[tuple[str, int], ...]:
        """Return the numbers of wins of each side."""
        ...


class DuelRecord(NamedTuple):
    """Games of two players who exchanged sides."""

    rules: str
    players: str
    n: int
    won_by: tuple[tuple[str, int], ...]


# Tables as likely as the observed one are included, although their probabilities are computed with rounded logarithms.
ROUNDING = 1 + 1e-7


@dataclass(frozen=True, slots=True)
class Shares:
    """The wins of a side in one arm beside those in the reported games of its rules.

    `won_by` contains all reported games, "" for no winner; `levels` those that the side won; `wins` is the number of
    the arm's games that it won. `estimate` is the reported share minus that of the arm, `p` Fisher's, `p_adjusted`
    adjusted for all comparisons.
    """

    rules: str
    players: str
    side: str
    won: int
    n: int
    reported: ConfidenceInterval
    won_by: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, int], ...]
    arm: ReportedArm
    wins: int
    estimate: float
    interval: ConfidenceInterval
    p: float
    p_adjusted: float = 1.0

    @property
    def is_difference_significant(self) -> bool:
        """Return whether chance does not explain the difference."""
        return self.p_adjusted <= ERROR


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """A number of games with the same end: the winner ("" for none), and the level ("" if none is reported)."""

    rules: str
    won: str
    level: str
    games: int


def fisher_p(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Compute the two-sided p of Fisher's exact test for (won, played) twice.

    It sums over all tables that are not likelier than the observed one.
    """
    (won, played), (others, rest) = first, second
    wins, lowest = won + others, max(0, won + others - rest)
    chances = [_chance(each, played, wins, rest) for each in range(lowest, min(played, wins) + 1)]
    seen = chances[won - lowest]
    return min(1.0, math.fsum(each for each in chances if each <= seen * ROUNDING))


def _chance(won: int, played: int, wins: int, rest: int) -> float:
    """Compute the hypergeometric probability that so many of the wins are among those played."""
    return math.exp(_log_binomial(played, won) + _log_binomial(rest, wins - won) - _log_binomial(played + rest, wins))


def _log_binomial(n: int, k: int) -> float:
    """Compute the logarithm of the binomial coefficient n over k."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def compare_reported(
    arms: Iterable[ReportedArm],
    sides: Sequence[str],
    reported: Iterable[OutcomeCount],
    rules_key: Callable[[str], Hashable],
) -> tuple[Shares, ...]:
    """Compare each arm with the games that are reported of its rules, for each side; others are excluded.

    Names of rules with an equal key are names of the same rules.
    """
    games = group_by(reported, lambda each: rules_key(each.rules))
    found = [
        _shares(arm, side, games[key])
        for arm in arms
        if (key := rules_key(arm.rules)) in games and arm.n
        for side in (sides if len(sides) > 2 or _is_drawn(arm, games[key]) else sides[:1])
    ]
    return tuple(
        replace(shares, p_adjusted=p)
        for shares, p in zip(found, adjust_p_values([shares.p for shares in found]), strict=True)
    )


def _is_drawn(arm: ReportedArm, games: Iterable[OutcomeCount]) -> bool:
    """Return whether any game was drawn in either group; else the wins of one of two sides determine the other's."""
    return sum(won for _, won in arm.won_by) < arm.n or any(not each.won for each in games)


def _shares(arm: ReportedArm, side: str, games: list[OutcomeCount]) -> Shares:
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
