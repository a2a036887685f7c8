"""How many pairs an effect needs: to be established in four experiments of five (R. J. Connor, Biometrics 43, 1987,
207-211).

With a share `apart` of pairs that come out otherwise and a difference of shares `effect`, McNemar's test at 5 percent
needs (1.96 sqrt(apart) + 0.84 sqrt(apart - effect^2))^2 / effect^2 pairs.
"""

import math
from statistics import NormalDist

from runtime.experiment.intervals import Pairs
from runtime.experiment.multiple_tests import ERROR

POWER = 0.8


def pairs_needed(effect: float, apart: float, error: float = ERROR) -> int:
    """Count the pairs; `apart` is at least the effect, as no pair can make up for less than itself."""
    effect = abs(effect)
    apart = min(1.0, max(apart, effect))
    normal = NormalDist()
    first, second = normal.inv_cdf(1 - error / 2), normal.inv_cdf(POWER)
    return math.ceil((first * math.sqrt(apart) + second * math.sqrt(apart - effect * effect)) ** 2 / effect**2)


def share_apart(pairs: Pairs) -> float:
    """Estimate the share of pairs that come out otherwise; half a pair of each kind is added, as few may show none."""
    return (pairs.first + pairs.second + 1) / (pairs.n + 2)
