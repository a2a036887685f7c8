"""Decide when an experiment may end before its last game.

The input is the counts after a number of games; the output is the reason to stop, or "" to continue. The rule is
evaluated every LOOK games, in any distribution over processes, so that the number of games played is part of the
result.

`width`: once every interval of a difference is narrower than that. Stopping by the width of an interval and not by its
place preserves its coverage: fixed-width sequential intervals have their nominal coverage as the width goes to zero (Y.
S. Chow and H. Robbins, Ann. Math. Stat. 36, 1965, 457-462); LEAST prevents small samples from stopping by chance.

`decided`: once the evidence suffices that every difference changes how often one of the sides wins
(sequential_evidence.py), or how many games are drawn, which is anytime-valid; or that it changes the lead of a side in
levels (level_difference.py) and is the `same` in who wins, where more games would show no more. `same`: once the
evidence suffices that the wins of all sides, and draws, differ by less than the margin (equivalence.py), likewise.
`settled`: once every difference is one or the other. The evidence is adjusted for all claims about all of them
(joint_claims.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import or_

from runtime.experiment import joint_claims
from runtime.experiment.equivalence import evidence_of_same
from runtime.experiment.leads import least_evidence
from runtime.experiment.multiple_tests import ERROR, p_from_log
from runtime.experiment.sequential_evidence import evidence_of_difference
from runtime.experiment.share_intervals import PairedResults, newcombe_interval

LOOK = 20
LEAST = 60

NEVER, WIDTH, DECIDED, SAME, SETTLED = "", "width", "decided", "same", "settled"
# The default margin: smaller differences of shares of wins are negligible.
EQUALITY_MARGIN = 0.05


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """A stopping rule: `rule` is NEVER, WIDTH, DECIDED, SAME or SETTLED. `margin` is what counts as a difference."""

    rule: str = NEVER
    width: float = 0.0
    margin: float = EQUALITY_MARGIN

    @property
    def stops_at_difference(self) -> bool:
        """Return whether the experiment stops as soon as a difference is established."""
        return self.rule in (DECIDED, SETTLED)


def is_interim_look(until: StoppingRule, games: int) -> bool:
    """Return whether the rule is evaluated after this many games."""
    least = LEAST if until.rule == WIDTH else LOOK
    return until.rule != NEVER and games >= least and games % LOOK == 0


def stop_reason(
    until: StoppingRule, differences: Sequence[Sequence[PairedResults]], level_evidence: Sequence[Sequence[float]] = ()
) -> str:
    """Return the reason to stop.

    For each difference the pairs of each share are given: of wins, and of draws if any; and the evidence on each lead
    in levels that is tested.
    """
    if not differences:
        return ""
    if until.rule == WIDTH:
        widest = max(high - low for shares in differences for low, high in map(newcombe_interval, shares))
        return f"every interval is narrower than {until.width:g}" if widest <= until.width else ""
    parts = math.log(len(differences))
    tested = list(zip(differences, level_evidence or [()] * len(differences), strict=True))
    beside = [(shares, least_evidence(logs) if logs else None) for shares, logs in tested]
    differs = [_is_change_established(shares, level, until.margin, parts) for shares, level in beside]
    same = [_are_same(shares, level, until.margin, parts) for shares, level in beside]
    in_levels = [_is_lead_established(logs, parts) and equal for (_, logs), equal in zip(tested, same, strict=True)]
    if until.rule == DECIDED and all(map(or_, differs, in_levels)):
        return "the evidence is enough"
    if until.rule == SAME and all(same):
        return f"the evidence is enough that no two differ by {points_text(until.margin)} or more"
    if until.rule == SETTLED and all(map(or_, differs, same)):
        return f"the evidence is enough: each two differ, or do so by less than {points_text(until.margin)}"
    return ""


def _is_change_established(shares: Sequence[PairedResults], level: float | None, margin: float, parts: float) -> bool:
    """Return whether one of the shares is shown to change, with one of so many parts (a logarithm) of the error."""
    logs = [evidence_of_difference(pairs) for pairs in shares]
    adjusted = joint_claims.evidence_adjusted(logs, _same_evidence(shares, margin))
    return any(p_from_log(joint_claims.evidence_beside_levels(log, level) - parts) <= ERROR for log in adjusted)


def _is_lead_established(logs: Sequence[float], parts: float) -> bool:
    """Return whether the lead of one of the sides is shown to change."""
    return bool(logs) and p_from_log(joint_claims.evidence_of_levels(max(logs)) - math.log(len(logs)) - parts) <= ERROR


def _are_same(shares: Sequence[PairedResults], level: float | None, margin: float, parts: float) -> bool:
    """Return whether all shares are shown to change by less than the margin."""
    logs = _same_evidence(shares, margin)
    adjusted = (joint_claims.same_adjusted(log, [*logs[:index], *logs[index + 1 :]]) for index, log in enumerate(logs))
    return all(p_from_log(joint_claims.evidence_beside_levels(log, level) - parts) <= ERROR for log in adjusted)


def _same_evidence(shares: Sequence[PairedResults], margin: float) -> list[float]:
    return [evidence_of_same(pairs, margin) for pairs in shares]


def points_text(margin: float) -> str:
    """Format a difference of shares in percentage points."""
    found = f"{100 * margin:g}"
    return f"{found} point" if found == "1" else f"{found} points"
