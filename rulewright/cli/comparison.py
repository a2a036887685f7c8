"""The table that `compare` prints."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from runtime.experiment.intervals import Interval
from runtime.experiment.summary import Difference, Summary

# Rules that fire hardly more often under one stack than under the other are left out.
RULES_SHOWN = 8


def described(summary: Summary) -> Group:
    """Draw the arms, the difference between two of them, and the rules that account for it."""
    table = Table(box=None, pad_edge=False, title=f"seen from {summary.side}", title_justify="left")
    for heading in ("rules", "games", "won", "95 percent", "draws", "level", "turns", "decisions"):
        table.add_column(heading, justify="left" if heading == "rules" else "right")
    for arm in summary.arms:
        level = dict(arm.levels).get(summary.side)
        table.add_row(
            arm.rules, str(arm.n), f"{arm.wins / arm.n:.1%}" if arm.n else "-", _span(arm.interval), str(arm.draws),
            "-" if level is None else f"{level:.2f}", f"{arm.turns:.1f}", f"{arm.choices:.0f}",
        )  # fmt: skip
    parts: list[Table | Text] = [table]
    if summary.difference:
        parts.append(Text(_difference(summary.difference)))
    fired = _fired(summary)
    if fired:
        parts.append(fired)
    parts += [Text(f"broken under {fault.rules}, seed {fault.seed}: {fault.message}") for fault in summary.faults[:5]]
    return Group(*parts)


def _difference(difference: Difference) -> str:
    """Say what the second rules change, and how sure that is."""
    sure = "" if difference.interval.low <= 0 <= difference.interval.high else ", so it is no accident"
    return (
        f"\nthe second rules change the share of wins by {difference.estimate:+.1%} "
        f"({_signed(difference.interval)} at 95 percent{sure})\n"
        f"and the level by {difference.level:+.2f} "
        f"({difference.level_interval.low:+.2f} to {difference.level_interval.high:+.2f})"
    )


def _fired(summary: Summary) -> Table | None:
    """List the rules that speak more often under one stack than under the other."""
    if len(summary.arms) != 2:
        return None
    apart = sorted(summary.fired, key=lambda item: -abs(item[1][1] - item[1][0]))[:RULES_SHOWN]
    apart = [item for item in apart if item[1][0] != item[1][1]]
    if not apart:
        return None
    table = Table(box=None, pad_edge=False, title="\nrules that speak more or less often, a game", title_justify="left")
    for heading in ("rule", "first", "second"):
        table.add_column(heading, justify="left" if heading == "rule" else "right")
    for label, counts in apart:
        table.add_row(label, f"{counts[0]:.1f}", f"{counts[1]:.1f}")
    return table


def _span(interval: Interval) -> str:
    return f"{interval.low:.1%} to {interval.high:.1%}"


def _signed(interval: Interval) -> str:
    return f"{interval.low:+.1%} to {interval.high:+.1%}"
