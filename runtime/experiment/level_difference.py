"""Test whether a change moves the lead in levels of a side, where levels tell more than who wins.

In: the changes of the lead within pairs of games, and how many pairs have each; out: a `LevelDifference`. If the rules
change nothing, both games of a pair may be exchanged, so each change of the lead is as likely with the opposite sign,
whatever its size. The p-value is that of all signs (R. A. Fisher, The Design of Experiments, 1935, section 21), exact
for a sum that is not too long. The evidence that holds after every game bets on the signs, more on larger changes (V.
H. de la Peña, Ann. Probab. 27, 1999, 537-564):

    evidence = product of exp(bet * change) / cosh(bet * change),

whose factors have mean one for either bet, so that Ville's inequality applies, as in sequential_evidence.py.

Levels are tested beside who wins, with a part of the same 5 percent (joint_claims.py). If no pair of games with one
winner differs in the lead, levels tell nothing more: there is no test, and who wins has all of the 5 percent.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from runtime.experiment.multiple_tests import p_from_log

Changes = Mapping[int | Fraction, int]
# The most binary digits of the exact distribution of a sum, times the number of its terms: a fraction of a second.
EXACT_WORK = 10**10
# The bets of the evidence, for changes of one level: each half of the last one, in both directions.
BETS = tuple(sign * 0.5**halvings for halvings in range(-1, 11) for sign in (1, -1))


@dataclass(frozen=True, slots=True)
class LevelDifference:
    """The test of the lead in levels: its p-value, and the logarithm of the evidence that holds after every game.

    `adjusted` fields allow for all claims about who wins and about levels.
    """

    p: float
    evidence: float
    p_adjusted: float = 1.0
    evidence_adjusted: float = -math.inf

    @property
    def p_any_time_adjusted(self) -> float:
        """Return the p-value that holds after every game, adjusted for all claims."""
        return p_from_log(self.evidence_adjusted)


def level_test(changes: Changes, unlike_winners: int) -> LevelDifference | None:
    """Test the changes of a lead; `unlike_winners` are pairs of games with one winner and different leads."""
    return LevelDifference(sign_flip_p(changes), sign_flip_evidence(changes)) if unlike_winners else None


def sign_flip_p(changes: Changes) -> float:
    """Compute the two-sided p of "each change is as likely with the opposite sign", by the size of their sum."""
    scale = math.lcm(*(Fraction(change).denominator for change in changes))
    whole = {int(change * scale): pairs for change, pairs in changes.items() if change and pairs}
    unit = math.gcd(*whole) or 1
    sizes = [abs(change) // unit for change, pairs in whole.items() for _ in range(pairs)]
    total = sum(change // unit * pairs for change, pairs in whole.items())
    if not total:
        return 1.0
    slot = len(sizes) + 2
    if sum(sizes) * slot * len(sizes) > EXACT_WORK:
        return math.erfc(abs(total) / math.sqrt(2 * sum(size * size for size in sizes)))
    # A number of `slot` bits for each possible sum of the sizes with a positive sign: so many choices of signs have it.
    choices = 1
    for size in sizes:
        choices += choices << (size * slot)
    least = (sum(sizes) + abs(total)) // 2
    as_large = (choices >> (least * slot)) % ((1 << slot) - 1)
    return float(min(Fraction(1), Fraction(2 * as_large, 1 << len(sizes))))


def sign_flip_evidence(changes: Changes) -> float:
    """Compute the logarithm of the evidence against "each change is as likely with the opposite sign"."""
    logs = [math.fsum(pairs * _log_factor(bet * float(change)) for change, pairs in changes.items()) for bet in BETS]
    top = max(logs)
    return top + math.log(math.fsum(math.exp(log - top) for log in logs) / len(logs))


def _log_factor(stake: float) -> float:
    """Compute log(exp(stake) / cosh(stake)) without overflow."""
    return stake - abs(stake) - math.log1p(math.exp(-2 * abs(stake))) + math.log(2)
