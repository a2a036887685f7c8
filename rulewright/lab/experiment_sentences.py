"""The sentences of an experiment with its numbers, the same on a screen and in a report."""

from collections.abc import Iterator

from rulewright.unsettled_offers import unsettled_sentence
from runtime.experiment.differences import NOBODY, ArmDifference, LeadDifference, SideDifference
from runtime.experiment.mean_interval import ConfidenceInterval
from runtime.experiment.stopping import LOOK
from runtime.experiment.summary import Arm, DuelSummary, Summary
from runtime.experiment.verdict import gain_text, with_players


def known_sides(summary: Summary) -> str:
    """Format the sides in the order of the card: `german-allied`."""
    return "-".join(summary.sides)


def wins_text(arm: Arm, summary: Summary) -> str:
    """Format wins by side and the number of games: `12-25, 40`."""
    won = dict(arm.won_by)
    return f"{'-'.join(str(won.get(side, 0)) for side in summary.sides)}, {arm.n}"


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{share:.1%}"


def interval_text(interval: ConfidenceInterval, form: str) -> str:
    """Format an interval of differences."""
    return f"{interval.low:{form}} to {interval.high:{form}}"


def stopping_sentence(summary: Summary) -> str:
    """Return why an experiment ended early; "" if it did not."""
    if not summary.stopped:
        return ""
    return f"ended after {summary.games} games, looking every {LOOK}: {summary.stopped}"


def unsettled_offers(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each offer whose completability the budget did not decide."""
    for rules, offer in summary.unsettled:
        yield f"under {rules}, {unsettled_sentence(offer)}"


def change_sentences(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Yield the effects of a stack, with intervals where something may be claimed."""
    compared = f"{gap.rules} instead of {gap.than}{with_players(gap, summary)}, {gap.pairs} pairs"
    yield f"{compared}: {share_text(gap.wins)}"
    for share in gap.shares[1:]:
        if not share.opposite:
            yield f"  {share_text(share)}"
    yield f"  lead in levels {lead_text(gap.lead)}; turns {gap.turns:+.2f}"
    lost = [f"{side} {change:+.2f}" for side, counter, change in gap.losses if not counter]
    if lost:
        yield f"  losses (out of play at the end of a game): {', '.join(lost)}"


def share_text(share: SideDifference) -> str:
    """Format the change of a share, its interval, and the pairs that came out otherwise."""
    whose = "draws" if share.side == NOBODY else f"{share.side} wins"
    if not share.pairs.first + share.pairs.second:
        counts = "no pair came out otherwise"
    else:
        counts = f"in {share.pairs.second} pairs only with it, in {share.pairs.first} only without"
    return f"{whose} {share.estimate:+.1%} ({interval_text(share.interval, '+.1%')}); {counts}"


def lead_text(lead: LeadDifference) -> str:
    """Format the change of the lead in levels, with its interval if it has one."""
    interval = f" ({interval_text(lead.interval, '+.2f')})" if lead.interval else ""
    return f"{lead.change:+.2f}{interval}"


def duel_sentence(duel: DuelSummary, summary: Summary) -> str:
    """Return the results of two players who played both sides against each other."""
    stack_phrase = f" under {duel.rules}" if len(summary.stacks) > 1 else ""
    return (
        f"{duel.player} against {duel.opponent}{stack_phrase}, {duel.pairs.n} games from each side: "
        f"won {duel.wins}, lost {duel.losses}, drew {duel.draws}; lead in levels {duel.level:+.2f} a game; "
        f"better pairs less worse {100 * duel.pairs.gain:+.1f} percent ({gain_text(duel.interval)})"
    )
