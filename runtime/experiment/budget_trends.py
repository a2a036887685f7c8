"""Decide whether a finding holds with more thinking time: the same effect at several budgets of one player.

The input is a summary in which all sides are played by `search:4`, by `search:8`, and so on; the output is a `Trend`
for each difference of rules, and one for the balance under the first rules. An experiment with one budget measures the
rules and the player together (0 of 60 games won by greed may be 5 of 6 with more thought), so that an effect is called
settled only if every budget finds it, and none finds another one.

That an effect grows with the budget, or shrinks, is tested by itself: by the effect with the largest budget minus that
with the smallest, game by game with the same dice. With budgets that double, of which there are three, this is their
linear trend. Each share of each difference has an equal part of 5 percent (Bonferroni), however many budgets there are.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from runtime.experiment.agreement import AGREE, ANYTHING, DIRECTION, LEAD, Agreement
from runtime.experiment.change_use_text import take_up_text
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.share_intervals import ConfidenceInterval, Z, newcombe_independent, z_of
from runtime.experiment.side_difference import NOBODY
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import Arm, ArmDifference, Summary, shares_of_difference
from runtime.experiment.verdict import (
    DRAWS,
    LESS,
    LEVELS,
    MORE,
    OPEN,
    OTHER,
    SAME,
    SOME,
    UNTRIED,
    equivalent_shares_text,
    is_established,
    level_change_in_words,
    other_shares_text,
    required_pair_count,
    short_finding,
    winner_finding,
)
from runtime.players.player_names import budget_of

# Findings on an effect at rising budgets: all of it is settled; the direction, but not the size; it is known to grow,
# or to shrink, or else to differ with more thought; it is not settled.
SETTLED, WAY_SETTLED, DEPENDS, NOT_SETTLED = "settled", "direction settled", "depends on thinking", "not settled"
GROWS, SHRINKS = "grows with thinking", "shrinks with thinking"


@dataclass(frozen=True, slots=True)
class ShareTrend:
    """How the effect on one share changes from the least budget to the largest: `estimates` of all.

    `side`: NOBODY for draws, LEAD for the lead in levels of the counted side.

    The interval allows for all shares and differences.
    """

    side: str
    estimates: tuple[float, ...]
    change: float = 0.0
    interval: ConfidenceInterval = ANYTHING

    @property
    def is_established(self) -> bool:
        """Return whether the interval excludes zero."""
        return not self.interval.low <= 0 <= self.interval.high

    @property
    def growth_finding(self) -> str:
        """Return whether the effect grows or shrinks."""
        return GROWS if abs(self.estimates[-1]) > abs(self.estimates[0]) else SHRINKS


@dataclass(frozen=True, slots=True)
class Trend:
    """The finding of one difference at rising budgets.

    `players` from the least budget to the largest, `estimates` their differences of shares, -1 to 1. `shifts` are
    those of the effect on each share, of the counted side first.
    """

    rules: str
    than: str
    players: tuple[str, ...]
    estimates: tuple[float, ...]
    shifts: tuple[ShareTrend, ...]
    finding: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """How often a side wins under one stack at rising budgets: `shares` 0 to 1; `moves` if the trend is significant."""

    rules: str
    players: tuple[str, ...]
    shares: tuple[float, ...]
    moves: bool
    line: str


def budgeted_players(players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the players of each kind with several budgets, the least first."""
    kinds: dict[tuple[str, bool], list[tuple[float, str]]] = defaultdict(list)
    for name in dict.fromkeys(players):
        if found := budget_of(name):
            kinds[found[0], found[1].in_seconds].append((found[1].amount, name))
    return tuple(tuple(name for _, name in sorted(named)) for _, named in sorted(kinds.items()) if len(named) > 1)


def judge_trends(summary: Summary) -> tuple[Trend, ...]:
    """Compute the trend of each difference over all budgets of each kind of player."""
    gaps = {(gap.rules, gap.than, gap.players): gap for gap in summary.differences}
    pairings = dict.fromkeys((gap.rules, gap.than) for gap in summary.differences)
    rows = [
        [gaps[rules, than, name] for name in named]
        for named in budgeted_players([arm.players for arm in summary.arms])
        for rules, than in pairings
        if all((rules, than, name) in gaps for name in named)
    ]
    tests = sum(len(_end_agreements(row, summary)) for row in rows)
    return tuple(_trend(row, ERROR / max(1, tests), summary) for row in rows)


def _trend(gaps: Sequence[ArmDifference], error: float, summary: Summary) -> Trend:
    shifts = tuple(_shift(gaps, agreement, error) for agreement in _end_agreements(gaps, summary))
    shifts = shifts or (ShareTrend(gaps[-1].side, tuple(gap.estimate for gap in gaps)),)
    found = [winner_finding(gap, summary) for gap in gaps]
    judged = _trend_finding(gaps, found, shifts, summary)
    lines = tuple(_sentences(gaps, found, judged, shifts, summary))
    names = tuple(gap.players for gap in gaps)
    return Trend(gaps[-1].rules, gaps[-1].than, names, tuple(gap.estimate for gap in gaps), shifts, judged, lines)


def _end_agreements(gaps: Sequence[ArmDifference], summary: Summary) -> list[Agreement]:
    """Return the agreements between the least budget and the largest, one for each share."""
    ends = {gaps[0].players, gaps[-1].players}
    return [each for each in _agreements(gaps, summary) if {each.first, each.second} == ends]


def _shift(gaps: Sequence[ArmDifference], agreement: Agreement, error: float) -> ShareTrend:
    """Return how the effect on a share changes from the least budget to the largest."""
    sign = 1 if agreement.first == gaps[0].players else -1
    low, high = sorted(sign * end for end in agreement.by_itself)
    reach = (high - low) / 2 * z_of(error) / Z
    estimates = tuple(effect_on(gap, agreement.side) for gap in gaps)
    middle = (low + high) / 2
    return ShareTrend(
        agreement.side, estimates, sign * agreement.difference.mean, ConfidenceInterval(middle - reach, middle + reach)
    )


def effect_on(gap: ArmDifference, side: str) -> float:
    """Return the effect on a share, 0 for draws where no game with these players is drawn, or on the LEAD."""
    if side == LEAD:
        return gap.lead_change.mean
    return next((share.estimate for share in shares_of_difference(gap) if share.side == side), 0.0)


def _agreements(gaps: Sequence[ArmDifference], summary: Summary) -> list[Agreement]:
    """Return the agreements of each two of these players on one difference."""
    names = {gap.players for gap in gaps}
    pairing = gaps[0].rules, gaps[0].than
    return [
        agreement
        for agreement in summary.agreements
        if (agreement.rules, agreement.than) == pairing and {agreement.first, agreement.second} <= names
    ]


def _trend_finding(
    gaps: Sequence[ArmDifference], found: Sequence[str], shifts: Sequence[ShareTrend], summary: Summary
) -> str:
    kinds = set(found)
    agreements = _agreements(gaps, summary)
    if any(agreement.verdict == DIRECTION for agreement in agreements) or _both_ways(gaps, summary):
        return DEPENDS
    if kinds == {SAME}:
        return SETTLED
    if established := [shift for shift in shifts if shift.is_established]:
        return established[0].growth_finding
    if kinds in ({OTHER}, {DRAWS}) and len({other_shares_text(gap, summary) for gap in gaps}) == 1:
        return WAY_SETTLED
    if kinds == {LEVELS} and len({level_change_in_words(gap, summary) for gap in gaps}) == 1:
        return WAY_SETTLED
    if kinds in ({MORE}, {LESS}):
        return SETTLED if _largest_decline(gaps[-1], shifts[0].interval) <= summary.margin else WAY_SETTLED
    has_disagreement = any(agreement.verdict != AGREE for agreement in agreements)
    if has_disagreement and found[-1] != OPEN and kinds & {MORE, LESS, OTHER, DRAWS, SOME, SAME}:
        return DEPENDS
    return NOT_SETTLED


def _both_ways(gaps: Sequence[ArmDifference], summary: Summary) -> bool:
    """Return whether a side significantly wins more often with one budget, and less often with another."""
    shares = (share for gap in gaps for share in shares_of_difference(gap))
    directions = {(share.side, share.estimate > 0) for share in shares if is_established(share, summary)}
    return len(directions) > len({side for side, _ in directions})


def _largest_decline(gap: ArmDifference, interval: ConfidenceInterval) -> float:
    """Return the largest possible decline of an effect from the least budget to the largest."""
    return -interval.low if gap.estimate > 0 else interval.high


def _sentences(
    gaps: Sequence[ArmDifference],
    found: Sequence[str],
    judged: str,
    shifts: Sequence[ShareTrend],
    summary: Summary,
) -> Iterator[str]:
    last = gaps[-1]
    in_levels = [shift for shift in shifts if shift.side == LEAD and set(found) == {LEVELS}]
    share_trend = next((shift for shift in shifts if shift.is_established), [*in_levels, *shifts][0])
    about = f"{last.rules} instead of {last.than}, as players think longer"
    most = times_longer(gaps[0].players, last.players)
    each_finding = _findings_text(gaps, share_trend, summary)
    effect = f"{summary.side} wins {last.estimate:+.1%} ({last.interval.low:+.1%} to {last.interval.high:+.1%})"
    match judged:
        case "settled" if found[-1] == SAME:
            yield f"{about}: SETTLED, {equivalent_shares_text(last, summary)} with each of {_player_list(gaps)}"
        case "settled":
            less = f"with {_reciprocal_text(most)} of the thinking at most {points_text(summary.margin)} more"
            yield f"{about}: SETTLED, {effect} with {last.players}; {less}"
        case "direction settled" if found[-1] == OTHER:
            others = [share.side for share in last.others if is_established(share, summary)]
            yield (
                f"{about}: {other_shares_text(last, summary)} with each of "
                f"{_player_list(gaps)}, but how much is not compared: "
                f"`--side {others[0]}` does"
            )
        case "direction settled" if found[-1] == DRAWS:
            yield (
                f"{about}: {other_shares_text(last, summary)} with each of "
                f"{_player_list(gaps)}, but how many is not compared"
            )
        case "direction settled" if found[-1] == LEVELS:
            yield (
                f"{about}: {level_change_in_words(last, summary)} with each of {_player_list(gaps)}, but how much is "
                f"not settled: {_effects(share_trend, summary)}"
            )
        case "direction settled":
            comparative = "more" if last.estimate > 0 else "less"
            yield (
                f"{about}: {summary.side} wins {comparative} often with each of "
                f"{_player_list(gaps)}, but how much {comparative} is not "
                f"settled: {effect} with {last.players}"
            )
        case "grows with thinking" | "shrinks with thinking":
            verb = "GROWS" if judged == GROWS else "SHRINKS"
            yield f"{about}: THE EFFECT {verb} WITH THE BUDGET, and it is no accident: {_effects(share_trend, summary)}"
            yield f"  {each_finding}"
        case "depends on thinking":
            yield f"{about}: IT DEPENDS ON THE PLAYER, SO IT IS NOT SETTLED: {each_finding}"
        case _:
            yield f"{about}: NOT SETTLED: {each_finding}"
    low, high = share_trend.interval
    form = _form(share_trend)
    yield (
        f"  from {gaps[0].players} to {last.players} the effect changes by {share_trend.change:{form}} "
        f"({low:{form}} to {high:{form}})"
    )
    if take_up := take_up_text(gaps):
        yield f"  {take_up}"
    if judged in (GROWS, SHRINKS):
        yield f"  {LARGER_BUDGET}"
    elif judged != SETTLED:
        yield f"  {_required_games(gaps, found, summary)}"


LARGER_BUDGET = "a larger budget beside these says whether it goes on like that"


def _effects(shift: ShareTrend, summary: Summary) -> str:
    """Format the effects on a share, or on the lead in levels, with all budgets."""
    whose = {NOBODY: "draws", LEAD: f"the lead of {summary.side} in levels"}.get(shift.side, f"{shift.side} wins")
    return f"{whose} {', '.join(f'{estimate:{_form(shift)}}' for estimate in shift.estimates)}"


def _form(shift: ShareTrend) -> str:
    """Return the format of an effect."""
    return "+.2f" if shift.side == LEAD else "+.1%"


def _required_games(gaps: Sequence[ArmDifference], found: Sequence[str], summary: Summary) -> str:
    """Return what would settle the question."""
    if set(found) == {UNTRIED}:
        return "nobody used what is changed: more games with the same players would not settle it"
    if UNTRIED in found:
        idle = ", ".join(gap.players for gap, finding in zip(gaps, found, strict=True) if finding == UNTRIED)
        return f"with {idle} nobody used what is changed: more games with that would not settle it"
    if OPEN not in found:
        return LARGER_BUDGET
    needed = max(required_pair_count(share) for gap in gaps for share in shares_of_difference(gap))
    margin = points_text(summary.margin)
    return f"an effect of {margin} needs about {needed:,} pairs with each; {gaps[0].pairs.n:,} were played"


def _player_list(gaps: Sequence[ArmDifference]) -> str:
    return ", ".join(gap.players for gap in gaps)


def _findings_text(gaps: Sequence[ArmDifference], shift: ShareTrend, summary: Summary) -> str:
    """Format the finding of each player, with the effect on the share or lead of a shift."""
    return "; ".join(
        f"with {gap.players} {short_finding(gap, summary)} ({effect_on(gap, shift.side):{_form(shift)}})"
        for gap in gaps
    )


def times_longer(less: str, more: str) -> float:
    """Return the ratio of the budgets of two players."""
    lesser_budget, greater_budget = budget_of(less), budget_of(more)
    assert lesser_budget
    assert greater_budget
    return greater_budget[1].amount / lesser_budget[1].amount


def _reciprocal_text(times: float) -> str:
    """Format the reciprocal of a number."""
    return {2.0: "half", 4.0: "a quarter", 8.0: "an eighth"}.get(times, f"{1 / times:.0%}")


def judge_balances(summary: Summary) -> tuple[Balance, ...]:
    """Compute, under the first rules, how balance depends on the budget of each kind of player."""
    arms = {arm.players: arm for arm in summary.arms if arm.rules == summary.stacks[0]}
    return tuple(
        _balance([arms[name] for name in named], summary)
        for named in budgeted_players(list(arms))
        if all(arms[name].n for name in named)
    )


def _balance(arms: Sequence[Arm], summary: Summary) -> Balance:
    # Each step, and all of them together; for two budgets these coincide.
    tests = len(arms) if len(arms) > 2 else 1
    steps = [
        (first, second, newcombe_independent((second.wins, second.n), (first.wins, first.n), ERROR / tests))
        for first, second in pairwise(arms)
    ]
    interval = newcombe_independent((arms[-1].wins, arms[-1].n), (arms[0].wins, arms[0].n), ERROR / tests)
    moves = any(not step.low <= 0 <= step.high for *_, step in steps) or not interval.low <= 0 <= interval.high
    shares = ", ".join(f"{arm.wins / arm.n:.0%} with {arm.players}" for arm in arms)
    change = f"{interval.low:+.0%} to {interval.high:+.0%} from the least to the most thinking"
    if moves:
        phrase = f"THE BALANCE ITSELF MOVES WITH THINKING ({change})"
    elif max(-interval.low, interval.high) <= summary.margin:
        phrase = f"it hardly moves with thinking ({change})"
    else:
        phrase = f"whether it moves with thinking stays open ({change})"
    line = f"under {arms[0].rules} {summary.side} wins {shares}: {phrase}"
    names = tuple(arm.players for arm in arms)
    return Balance(arms[0].rules, names, tuple(arm.wins / arm.n for arm in arms), moves, line)
