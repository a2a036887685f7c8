"""Evidence that two stacks win equally often up to a margin, valid after every game.

To claim this, both alternatives have to be excluded: that the second wins more often by the margin or more, and that it
wins less often by as much (two one-sided tests: D. J. Schuirmann, J. Pharmacokin. Biopharm. 15, 1987, 657-680). A pair
counts 1, 0 or -1: won only by the second, equal, won only by the first. Against "the mean is at least m" a share of the
capital is bet on every pair, which wins as far as the pair falls short of m:

    capital = product of 1 + share * (m - pair).

Under any mean of at least m the expected gain is not positive, so that the capital ever reaches 20 with a probability
of at most 1 in 20 (Ville 1939; I. Waudby-Smith and A. Ramdas, J. R. Stat. Soc. B 86, 2024, 1-27). The share with the
largest gain depends on how often pairs differ; the capital is distributed equally over a range of shares, so that it
need not be known. The result depends on the counts alone, and holds for any number of pairs.
"""

import math
from bisect import bisect_left

from runtime.experiment.multiple_tests import ERROR, p_from_log
from runtime.experiment.share_intervals import ConfidenceInterval, PairedResults, bisect_boundary

# The bets relative to the largest possible one, from nearly 0 to nearly 1: each twice as near to the end as the last.
SHARES = tuple(sorted({0.5**k for k in range(1, 8)} | {1 - 0.5**k for k in range(2, 6)}))


def log_capital(margin: float, up: float, unchanged: float, down: float) -> float:
    """Compute the logarithm of the capital won against "the mean is at least `margin`"."""
    logs = []
    for share in SHARES:
        bet = share / (1 - margin)
        logs.append(
            up * math.log1p(bet * (margin - 1))
            + unchanged * math.log1p(bet * margin)
            + down * math.log1p(bet * (margin + 1))
        )
    top = max(logs)
    return top + math.log(math.fsum(math.exp(log - top) for log in logs) / len(logs))


def evidence_of_less(pairs: PairedResults, margin: float) -> float:
    """Compute the logarithm of the evidence against "the second wins more often by the margin or more"."""
    return log_capital(margin, pairs.second, pairs.both + pairs.neither, pairs.first)


def p_less(pairs: PairedResults, margin: float) -> float:
    """Compute an anytime-valid p-value of "the second wins more often by the margin or more"."""
    return p_from_log(evidence_of_less(pairs, margin))


def evidence_of_more(pairs: PairedResults, margin: float) -> float:
    """Compute the logarithm of the evidence against "the second wins less often by the margin or more"."""
    return evidence_of_less(pairs._replace(first=pairs.second, second=pairs.first), margin)


def evidence_of_same(pairs: PairedResults, margin: float) -> float:
    """Compute the logarithm of the evidence against "the shares of wins differ by the margin or more"."""
    return min(evidence_of_less(pairs, margin), evidence_of_more(pairs, margin))


def p_same(pairs: PairedResults, margin: float) -> float:
    """Compute an anytime-valid p-value of "the shares of wins differ by the margin or more"."""
    return p_from_log(evidence_of_same(pairs, margin))


MOST_PAIRS = 10_000_000


def pairs_showing_same(margin: float, differing_share: float, error: float) -> int:
    """Compute after how many pairs equivalence shows if as many differ in one direction as in the other; 0 for never.

    `differing_share` is the share of pairs with different results.
    """

    def is_enough(pairs: int) -> bool:
        each_way = pairs * differing_share / 2
        return log_capital(margin, each_way, pairs - 2 * each_way, each_way) >= -math.log(error)

    return 1 + bisect_left(range(1, MOST_PAIRS), 1, key=is_enough) if is_enough(MOST_PAIRS) else 0


# Halvings of an interval until its ends are exact to more than the printed digits.
HALVINGS = 30


def mean_any_time(pairs: PairedResults) -> ConfidenceInterval:
    """Compute an anytime-valid interval of the mean of pairs: from -1, all lost, to 1, all won."""
    unchanged, enough = pairs.both + pairs.neither, math.log(2 / ERROR)
    middle = (pairs.second - pairs.first) / max(1, pairs.n)
    return ConfidenceInterval(
        bisect_boundary(
            middle, -1.0, lambda mean: log_capital(-mean, pairs.first, unchanged, pairs.second) < enough, HALVINGS
        ),
        bisect_boundary(
            middle, 1.0, lambda mean: log_capital(mean, pairs.second, unchanged, pairs.first) < enough, HALVINGS
        ),
    )
