"""Compute how many pairs are needed to establish an effect in four experiments of five.

With a share `apart` of pairs with different results and a difference of shares `effect`, McNemar's test at 5 percent
needs (1.96 sqrt(apart) + 0.84 sqrt(apart - effect^2))^2 / effect^2 pairs (R. J. Connor, Biometrics 43, 1987, 207-211).
"""

import math
from statistics import NormalDist

from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.share_intervals import PairedResults

POWER = 0.8


def pairs_needed(effect: float, differing_share: float, error: float = ERROR) -> int:
    """Compute the number of pairs; `differing_share` is at least the effect, as each pair contributes at most one."""
    effect = abs(effect)
    differing_share = min(1.0, max(differing_share, effect))
    normal = NormalDist()
    first, second = normal.inv_cdf(1 - error / 2), normal.inv_cdf(POWER)
    return math.ceil(
        (first * math.sqrt(differing_share) + second * math.sqrt(differing_share - effect * effect)) ** 2 / effect**2
    )


def share_apart(pairs: PairedResults) -> float:
    """Estimate the share of pairs with different results; half a pair of each kind is added, as few may show none."""
    return (pairs.first + pairs.second + 1) / (pairs.n + 2)
