"""Decide whether a finding holds with more thinking time: the same effect at several budgets of one player.

The input is a summary in which all sides are played by `search:4`, by `search:8`, and so on; the output is a `Trend`
for each difference of rules, and one for the balance under the first rules. An experiment with one budget measures the
rules and the player together (0 of 60 games won by greed may be 5 of 6 with more thought). So the direction of an
effect is called settled only if all budgets together establish it, each with the same sign, and none differs from
another by more than chance explains; and all of it only if more than half is left with the largest budget.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from runtime.experiment.budget_effects import ShareTrend, budgeted_players
from runtime.experiment.change_use_text import take_up_text
from runtime.experiment.leads import LEAD
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.share_intervals import newcombe_independent
from runtime.experiment.side_difference import NOBODY
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import Arm, ArmDifference, Summary, shares_of_difference
from runtime.experiment.verdict import (
    SAME,
    UNTRIED,
    change_in_words,
    equivalent_shares_text,
    is_established,
    winner_finding,
)
from runtime.graph.words import list_text
from runtime.players.player_names import budget_of

# Findings on an effect at rising budgets: all of it is settled; the direction, but not that more thought leaves half
# of the size; it is known to differ with more thought; the direction is not settled.
SETTLED, WAY_SETTLED, DEPENDS, NOT_SETTLED = "settled", "direction settled", "depends on thinking", "not settled"


@dataclass(frozen=True, slots=True)
class Trend:
    """The finding of one difference at rising budgets, with the effect on each share, of the counted side first."""

    shares: tuple[ShareTrend, ...]
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


def judge_trends(summary: Summary) -> tuple[Trend, ...]:
    """Return the finding on each difference over all budgets of each kind of player."""
    gaps = {(gap.rules, gap.than, gap.players): gap for gap in summary.differences}
    found: list[Trend] = []
    for (rules, than, players), group in groupby(summary.trends, lambda one: (one.rules, one.than, one.players)):
        shares, row = tuple(group), [gaps[rules, than, name] for name in players]
        finding = _trend_finding(shares, row, summary)
        found.append(Trend(shares, finding, tuple(_sentences(shares, row, finding, summary))))
    return tuple(found)


def is_direction_established(share: ShareTrend, summary: Summary) -> bool:
    """Return whether all budgets together establish that a share changes: interval and test agree on it."""
    low, high = share.pooled.interval
    p = share.p_any_time if summary.is_watched else share.p_adjusted
    return p < ERROR and not low <= 0 <= high


def _settled(shares: Sequence[ShareTrend], summary: Summary) -> list[ShareTrend]:
    return [share for share in shares if share.has_one_direction and is_direction_established(share, summary)]


def _trend_finding(shares: Sequence[ShareTrend], gaps: Sequence[ArmDifference], summary: Summary) -> str:
    if any(share.is_heterogeneous for share in shares):
        return DEPENDS
    if settled := _settled(shares, summary):
        return SETTLED if all(share.is_kept for share in settled) else WAY_SETTLED
    return SETTLED if {winner_finding(gap, summary) for gap in gaps} == {SAME} else NOT_SETTLED


def _sentences(
    shares: Sequence[ShareTrend], gaps: Sequence[ArmDifference], finding: str, summary: Summary
) -> Iterator[str]:
    players, settled, last = list_text(shares[0].players), _settled(shares, summary), gaps[-1]
    longer = f"{times_text(shares[0].players)} the thinking"
    differing = [share for share in shares if share.is_heterogeneous]
    match finding:
        case "depends on thinking":
            effects = "; ".join(f"{_effects_text(share, summary)} ({_tendency(share)})" for share in differing)
            verdict = f"IT DEPENDS ON HOW LONG PLAYERS THINK, and that is no accident: {effects}"
        case "settled" if not settled:
            verdict = f"SETTLED, {equivalent_shares_text(last, summary)} with each of {players}"
        case "settled":
            verdict = f"SETTLED, {_pooled_text(settled, gaps, summary)}; more than half of it is left at {longer}"
        case "direction settled":
            size = f"whether half of it is left at {longer} stays open"
            verdict = f"THE DIRECTION IS SETTLED, {_pooled_text(settled, gaps, summary)}; {size}"
        case _:
            verdict = f"NOT SETTLED, {_open_text(shares, summary)}"
    yield f"{last.rules} instead of {last.than}, as players think longer: {verdict}"
    if listed := [share for share in shares if share not in differing]:
        yield f"  with {players}: {'; '.join(_effects_text(share, summary) for share in listed)}"
    changes = "; ".join(_change_text(share, summary) for share in shares)
    chance_text = "" if differing else "the budgets do not differ by more than chance explains; "
    yield f"  {chance_text}from {shares[0].players[0]} to {last.players}: {changes}"
    if take_up := take_up_text(gaps):
        yield f"  {take_up}"
    if advice := _advice(shares, gaps, finding, summary):
        yield f"  {advice}"


def times_text(players: Sequence[str]) -> str:
    """Return how many times as long the last of these players thinks as the first."""
    least, most = budget_of(players[0]), budget_of(players[-1])
    assert least
    assert most
    times = most[1].amount / least[1].amount
    return {2.0: "twice", 3.0: "three times", 4.0: "four times"}.get(times, f"{times:.3g} times")


def _tendency(share: ShareTrend) -> str:
    low, high = share.change.interval
    if low <= 0 <= high:
        return "not alike with all"
    first, last = share.estimates[0], share.estimates[-1]
    if first * last < 0:
        return "it TURNS"
    return "the effect GROWS" if abs(last) > abs(first) else "the effect SHRINKS"


def _whose(share: ShareTrend, summary: Summary) -> str:
    return {NOBODY: "draws", LEAD: f"the lead of {summary.side} in levels"}.get(share.side, f"{share.side} wins")


def _form(share: ShareTrend) -> str:
    return "+.2f" if share.side == LEAD else "+.1%"


def _effects_text(share: ShareTrend, summary: Summary) -> str:
    """Format the effects on a share with all budgets."""
    return f"{_whose(share, summary)} {', '.join(f'{estimate:{_form(share)}}' for estimate in share.estimates)}"


def _change_text(share: ShareTrend, summary: Summary) -> str:
    (low, high), form = share.change.interval, _form(share)
    return f"{_whose(share, summary)} {share.change.mean:{form}} ({low:{form}} to {high:{form}})"


def _mean_text(share: ShareTrend) -> str:
    (low, high), form = share.pooled.interval, _form(share)
    return f"{share.estimate:{form}} ({low:{form}} to {high:{form}})"


def _direction_text(share: ShareTrend, summary: Summary) -> str:
    if share.side == LEAD:
        return f"the lead of {summary.side} in levels {'rises' if share.estimate > 0 else 'falls'}"
    return change_in_words(share)


def _pooled_text(settled: Sequence[ShareTrend], gaps: Sequence[ArmDifference], summary: Summary) -> str:
    """Format the effects that are settled, and whether each budget establishes them by itself."""
    effects = list_text([f"{_direction_text(share, summary)}, {_mean_text(share)}" for share in settled])
    by_each = {share.side for share in settled if share.side != LEAD}
    for gap in gaps:
        by_each &= {share.side for share in shares_of_difference(gap) if is_established(share, summary)}
    players = list_text([gap.players for gap in gaps])
    if len(by_each) == len(settled):
        return f"{effects}, with each of {players}"
    return f"{effects}, over {players} taken together"


def _open_shares(shares: Sequence[ShareTrend], summary: Summary) -> list[ShareTrend]:
    """Return the shares of wins and draws whose direction is not settled."""
    settled = _settled(shares, summary)
    return [share for share in shares if share not in settled and share.side != LEAD]


def _open_text(shares: Sequence[ShareTrend], summary: Summary) -> str:
    """Return which directions are open, and why."""
    texts: list[str] = []
    for share in _open_shares(shares, summary):
        if is_direction_established(share, summary):
            against = [
                name
                for name, estimate in zip(share.players, share.estimates, strict=True)
                if estimate * share.estimate <= 0
            ]
            texts.append(f"{_direction_text(share, summary)} over all, but not with {list_text(against)}")
        else:
            p = share.p_any_time if summary.is_watched else share.p_adjusted
            texts.append(f"{_whose(share, summary)} {_mean_text(share)}, allowing for all claims p {p:.3f}")
    together = f"over {list_text(shares[0].players)} taken together"
    return f"open is the direction of the effect; {together}: {'; '.join(texts)}"


def _advice(shares: Sequence[ShareTrend], gaps: Sequence[ArmDifference], finding: str, summary: Summary) -> str:
    """Return what would settle what is open; "" if nothing is."""
    if finding == DEPENDS:
        return "a larger budget beside these says whether it goes on like that"
    idle = [gap.players for gap in gaps if winner_finding(gap, summary) == UNTRIED]
    if idle:
        return f"with {list_text(idle)} nobody used what is changed: more games with that would not settle it"
    margin, played = points_text(summary.margin), f"{gaps[0].pairs.n:,} were played"
    if finding == NOT_SETTLED:
        share = max(_open_shares(shares, summary), key=lambda one: one.needed.for_margin)
        seen = f", one like that seen here about {share.needed.for_seen:,}" if share.needed.for_seen else ""
        whose = "draws" if share.side == NOBODY else f"the wins of {share.side}"
        return (
            f"an effect of {margin} on {whose} takes about {share.needed.for_margin:,} pairs with each{seen}; {played}"
        )
    if finding == SETTLED:
        return ""
    needed = max(share.needed.for_kept for share in _settled(shares, summary))
    return f"about {needed:,} pairs with each would show that more than half is left, if all of it is; {played}"


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
