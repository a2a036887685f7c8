"""Decide when an experiment may end before its last game.

The input is the differences after a number of games; the output is the reason to stop, or "" to continue. The rule is
evaluated every LOOK games, in any distribution over processes, so that the number of games played is part of the
result. Intervals hold at every look (mean_interval.py), so that stopping changes nothing in what they claim.

`width`: once every interval of a share of wins is narrower than that. `decided`: once every difference changes how
often a side wins or games are drawn, or changes the lead in levels and nothing else by the margin. `same`: once all
shares of every difference change by less than the margin. `settled`: once every difference is decided or the same.
"""

from collections.abc import Sequence

from runtime.experiment.differences import ArmDifference
from runtime.graph.frozen_dataclass import frozen_dataclass

LOOK = 20

NEVER, WIDTH, DECIDED, SAME, SETTLED = "", "width", "decided", "same", "settled"
# The default margin: smaller differences of shares of wins are negligible.
EQUALITY_MARGIN = 0.05


@frozen_dataclass
class StoppingRule:
    """A stopping rule: `rule` is NEVER, WIDTH, DECIDED, SAME or SETTLED. `margin` is what counts as a difference."""

    rule: str = NEVER
    width: float = 0.0
    margin: float = EQUALITY_MARGIN


def is_interim_look(until: StoppingRule, games: int) -> bool:
    """Return whether the rule is evaluated after this many games."""
    return until.rule != NEVER and games % LOOK == 0


def stop_reason(until: StoppingRule, differences: Sequence[ArmDifference]) -> str:
    """Return the reason to stop, or ""."""
    if until.rule == NEVER or not differences or not all(is_met(until, gap) for gap in differences):
        return ""
    margin = points_text(until.margin)
    reasons = {
        WIDTH: f"every interval is narrower than {until.width:g}",
        DECIDED: "every difference is decided",
        SAME: f"no two differ by {margin} or more",
        SETTLED: f"every difference is shown, or shown to be below {margin}",
    }
    return reasons[until.rule]


def is_met(until: StoppingRule, gap: ArmDifference) -> bool:
    """Return whether a difference needs no more games."""
    if until.rule == WIDTH:
        return all(share.interval.high - share.interval.low <= until.width for share in gap.shares)
    is_one = until.rule in (DECIDED, SETTLED) and is_decided(gap, until.margin)
    return is_one or (until.rule in (SAME, SETTLED) and are_wins_same(gap, until.margin))


def is_decided(gap: ArmDifference, margin: float) -> bool:
    """Return whether an effect is established of which more games would not show more."""
    if gap.established_shares:
        return True
    return gap.lead.is_established and are_wins_same(gap, margin)


def are_wins_same(gap: ArmDifference, margin: float) -> bool:
    """Return whether it is established that all shares of wins, and of draws, change by less than the margin."""
    return all(share.interval.is_within(margin) for share in gap.shares)


def points_text(margin: float) -> str:
    """Format a difference of shares in percentage points."""
    points = f"{100 * margin:g}"
    return f"{points} percentage {'point' if points == '1' else 'points'}"
