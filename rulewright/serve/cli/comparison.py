"""Format the output of `compare`: the stacks, their effects, the agreement of players, and the rules behind."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.games.unsettled_offers import unsettled_sentence
from runtime.experiment.differences import NOBODY, ArmDifference, LeadDifference, SideDifference
from runtime.experiment.mean_interval import ConfidenceInterval
from runtime.experiment.stopping import LOOK
from runtime.experiment.summary import Arm, DuelSummary, Summary
from runtime.experiment.verdict import gain_text, verdict_paragraphs, with_players

FAULTS_SHOWN = 5


def describe_comparison(summary: Summary) -> Group:
    """Format a summary: the findings, the arms, the differences, and the losses."""
    words = ["\n".join(lines) for lines in verdict_paragraphs(summary)]
    parts: list[RenderableType] = [Text("\n".join([*words, ""]))] if words else []
    parts.append(_arms(summary))
    if ending := _stopping_sentence(summary):
        parts.append(Text(f"\n{ending}"))
    parts += [Text(f"\n{_duel_sentence(duel, summary)}") for duel in summary.duels]
    for gap in summary.differences:
        lines = "\n".join(_change_sentences(gap, summary))
        parts.append(Text(f"\n{lines}"))
    if losses := _losses(summary):
        parts.append(losses)
    parts += map(Text, (*_fault_lines(summary), *_unsettled_offers(summary)))
    return Group(*parts)


def _fault_lines(summary: Summary) -> Iterator[str]:
    """Yield the first games whose rules broke, and how many did."""
    for fault in summary.faults[:FAULTS_SHOWN]:
        yield f"broken under {fault.rules}, seed {fault.seed}: {fault.message}"
    if summary.broken > FAULTS_SHOWN:
        yield f"{summary.broken:,} games broke in all; each is left out with its pair"


def _arms(summary: Summary) -> Group:
    """Return the table of every stack and seating."""
    has_several_players = len(summary.seatings) > 1
    headings = [
        "rules",
        *(["players"] if has_several_players else []),
        f"wins {_known_sides(summary)}, n",
        "won",
        "95 percent",
        "draws",
    ]
    table = _table([*headings, "level", "turns", "decisions"], 1 + has_several_players)
    for arm in summary.arms:
        table.add_row(arm.rules, *([arm.players] if has_several_players else []), *_numbers(arm, summary))
    caption = f"seen from {summary.side}"
    if summary.arms and not has_several_players:
        caption += f", played by {summary.arms[0].players}"
        if any(gap.established_shares for gap in summary.differences):
            caption += "; more `--players` tell whether the difference depends on the players"
    return Group(Text(caption), table)


def _numbers(arm: Arm, summary: Summary) -> Iterator[str]:
    level = dict(arm.levels).get(summary.side)
    yield _wins_text(arm, summary)
    yield f"{arm.wins / arm.n:.1%}" if arm.n else "-"
    yield f"{_percent(arm.interval.low)} to {_percent(arm.interval.high)}"
    yield str(arm.draws)
    yield "-" if level is None else f"{level:.2f}"
    yield f"{arm.turns:.1f}"
    yield f"{arm.choices:.0f}"


def _losses(summary: Summary) -> Group | None:
    """Return the table of mean losses by counter, with the changes of the first difference; None without any."""
    first = next(iter(summary.differences), None)
    rows = [(side, counter, change) for side, counter, change in first.losses if counter] if first else []
    if first is None or not rows:
        return None
    arms = [arm for arm in summary.arms if arm.players == first.players]
    table = _table(["side", "lost a game", *(arm.rules for arm in arms), "change"], 2)
    for side, counter, change in rows:
        table.add_row(side, counter, *(_mean_loss(arm, side, counter) for arm in arms), f"{change:+.2f}")
    title = "losses" + (f", {first.players}" if len(summary.seatings) > 1 else "")
    if len(summary.stacks) > 2:
        title += f"; change: {first.rules} instead of {first.than}"
    return Group(Text(f"\n{title}"), table)


def _mean_loss(arm: Arm, side: str, counter: str) -> str:
    return f"{next((mean for *key, mean in arm.losses if key == [side, counter]), 0.0):.2f}"


def _table(headings: list[str], words: int) -> Table:
    """Build a table whose first columns are texts. It has no title, which would be wrapped to its width."""
    table = Table(box=None, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="left" if number < words else "right")
    return table


def _known_sides(summary: Summary) -> str:
    """Format the sides in the order of the card: `german-allied`."""
    return "-".join(summary.sides)


def _wins_text(arm: Arm, summary: Summary) -> str:
    """Format wins by side and the number of games: `12-25, 40`."""
    won = dict(arm.won_by)
    return f"{'-'.join(str(won.get(side, 0)) for side in summary.sides)}, {arm.n}"


def _percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{share:.1%}"


def _interval_text(interval: ConfidenceInterval, form: str) -> str:
    """Format an interval of differences."""
    return f"{interval.low:{form}} to {interval.high:{form}}"


def _stopping_sentence(summary: Summary) -> str:
    """Return why an experiment ended early; "" if it did not."""
    if not summary.stopped:
        return ""
    return f"ended after {summary.games} games, looking every {LOOK}: {summary.stopped}"


def _unsettled_offers(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each offer whose completability the budget did not decide."""
    for rules, offer in summary.unsettled:
        yield f"under {rules}, {unsettled_sentence(offer)}"


def _change_sentences(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Yield the effects of a stack, with intervals where something may be claimed."""
    compared = f"{gap.rules} instead of {gap.than}{with_players(gap, summary)}, {gap.pairs} pairs"
    yield f"{compared}: {_share_text(gap.wins)}"
    for share in gap.shares[1:]:
        if not share.opposite:
            yield f"  {_share_text(share)}"
    yield f"  lead in levels {_lead_text(gap.lead)}; turns {gap.turns:+.2f}"
    lost = [f"{side} {change:+.2f}" for side, counter, change in gap.losses if not counter]
    if lost:
        yield f"  losses (out of play at the end of a game): {', '.join(lost)}"


def _share_text(share: SideDifference) -> str:
    """Format the change of a share, its interval, and the pairs that came out otherwise."""
    whose = "draws" if share.side == NOBODY else f"{share.side} wins"
    if not share.pairs.first + share.pairs.second:
        counts = "no pair came out otherwise"
    else:
        counts = f"in {share.pairs.second} pairs only with it, in {share.pairs.first} only without"
    return f"{whose} {share.estimate:+.1%} ({_interval_text(share.interval, '+.1%')}); {counts}"


def _lead_text(lead: LeadDifference) -> str:
    """Format the change of the lead in levels, with its interval if it has one."""
    interval = f" ({_interval_text(lead.interval, '+.2f')})" if lead.interval else ""
    return f"{lead.change:+.2f}{interval}"


def _duel_sentence(duel: DuelSummary, summary: Summary) -> str:
    """Return the results of two players who played both sides against each other."""
    stack_phrase = f" under {duel.rules}" if len(summary.stacks) > 1 else ""
    return (
        f"{duel.player} against {duel.opponent}{stack_phrase}, {duel.pairs.n} games from each side: "
        f"won {duel.wins}, lost {duel.losses}, drew {duel.draws}; lead in levels {duel.level:+.2f} a game; "
        f"better pairs less worse {100 * duel.pairs.gain:+.1f} percent ({gain_text(duel.interval)})"
    )
