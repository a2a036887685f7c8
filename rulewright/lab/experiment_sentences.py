"""The sentences of an experiment, the same on a screen and in a report."""

from collections.abc import Iterator

from rulewright.unsettled_offers import unsettled_sentence
from runtime.experiment.agreement import AGREE, DIRECTION, Agreement
from runtime.experiment.leads import LEAD, LeadDifference
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate
from runtime.experiment.side_difference import NOBODY, SideDifference
from runtime.experiment.stopping import LOOK, points_text
from runtime.experiment.summary import Arm, ArmDifference, DuelSummary, Summary, shares_of_difference
from runtime.experiment.verdict import is_established, with_players
from runtime.graph.words import list_text

# Fewer differing pairs than this are reported, as their interval has little evidence.
ENOUGH_PAIRS = 5


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
    """Return why an experiment ended early or not, and its effect on the intervals; "" without a stopping rule."""
    if not summary.stopped:
        note = "what is called no accident is told by evidence that may be looked at always (Robbins 1970)"
        return f"went on to all {summary.games} games, looking every {LOOK}; {note}" if summary.watched else ""
    method = (
        "Chow and Robbins 1965"
        if summary.is_stopped_by_width
        else "Robbins 1970, Waudby-Smith and Ramdas 2024; the intervals of shares are those of a fixed number of games"
    )
    return f"ended after {summary.games} games, looking every {LOOK}: {summary.stopped} ({method})"


def unsettled_offers(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each offer whose completability the budget did not decide."""
    for rules, offer in summary.unsettled:
        yield f"under {rules}, {unsettled_sentence(offer)}"


def change_sentences(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Yield the effects of a stack, with intervals and significance."""
    ending = ", so it is no accident" if is_established(gap, summary) else ""
    yield (
        f"{gap.rules} instead of {gap.than}{with_players(gap, summary)}: {summary.side} wins {gap.estimate:+.1%} "
        f"({interval_text(gap.interval, '+.1%')} at 95 percent{ending})"
    )
    many = len(summary.differences)
    if many > 1 or len(shares_of_difference(gap)) > 2:
        together = f"with all {many} differences together" if many > 1 else "allowing for all claims"
        yield (
            f"  {together}: {interval_text(gap.adjusted, '+.1%')}, p {p_value_text(gap.p_adjusted)} "
            f"(whenever one stops, {p_value_text(gap.p_any_time_adjusted)})"
        )
    yield f"  of {gap.pairs.n} pairs {differing_pairs_sentence(gap)}"
    yield from (f"  {line}" for line in other_wins_sentences(gap))
    margin = points_text(summary.margin)
    yield f"  that they differ by {margin} or more: p {p_value_text(gap.p_same)}, whenever one stops"
    pairing = "" if gap.saved is None else f"; {pairing_saves(gap.saved)}"
    leads = list_text([_lead_text(lead, gap) for lead in gap.leads])
    yield f"  lead in levels {leads}; turns {estimate_text(gap.turns)}{pairing}"
    if gap.level_test:
        yield f"  levels a game: {', '.join(f'{side} {estimate_text(found)}' for side, found in gap.own_levels)}"
    lost = [f"{side} {estimate_text(found)}" for side, counter, found in gap.losses if not counter]
    if lost:
        yield f"  losses (out of play at the end of a game): {', '.join(lost)}"


def _lead_text(lead: LeadDifference, gap: ArmDifference) -> str:
    """Format the change of a lead, with its side where several are looked at."""
    of = f"of {lead.side} " if len(gap.leads) > 1 else ""
    p = f", allowing for all claims p {p_value_text(lead.test.p_adjusted)}" if lead.test else ""
    return f"{of}{estimate_text(lead.change)}{p}"


def other_wins_sentences(gap: ArmDifference) -> Iterator[str]:
    """Yield the effects on the wins of other sides and on draws, unless they follow from those of the counted side."""
    if all(difference.opposite for difference in gap.others):
        return
    for difference in gap.others:
        yield f"{difference.side} wins {_share_changes(difference)}"
    if gap.draws and not gap.draws.opposite:
        yield f"draws {_share_changes(gap.draws)}"


def _share_changes(difference: SideDifference) -> str:
    ends = interval_text(difference.interval, "+.1%")
    return (
        f"{difference.estimate:+.1%} ({ends} at 95 percent; allowing for "
        f"all claims p {p_value_text(difference.p_adjusted)})"
    )


def pairing_saves(share: float) -> str:
    """Return the effect of common random numbers: the games of a pair throw the same dice."""
    if share < 0:
        return f"pairing costs {-share:.0%} more games for the interval of the lead"
    return f"pairing saves {share:.0%} of the games for the interval of the lead"


def differing_pairs_sentence(gap: ArmDifference) -> str:
    """Return the number of pairs with different winners, with the tests of this number."""
    pairs = gap.pairs
    differing_pairs = pairs.first + pairs.second
    if not differing_pairs:
        return "none was won otherwise"
    return (
        f"{differing_pairs} came out otherwise: {pairs.second} won and {pairs.first} lost by it "
        f"(McNemar p {p_value_text(gap.p_value)}; whenever one stops, p {p_value_text(gap.p_any_time)} and "
        f"{percent(gap.share.low)} to {percent(gap.share.high)} of such pairs won)"
    )


def p_value_text(p: float) -> str:
    """Format a p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def estimate_text(found: Estimate) -> str:
    """Format a difference of means with its interval, and the number of differing pairs if it is small."""
    if found.differing_pairs is None or found.differing_pairs >= ENOUGH_PAIRS:
        return f"{found.mean:+.2f} ({interval_text(found.interval, '+.2f')})"
    rests = (
        "no pair differs"
        if not found.differing_pairs
        else f"{found.differing_pairs} {'pair differs' if found.differing_pairs == 1 else 'pairs differ'}"
    )
    return f"{found.mean:+.2f} ({interval_text(found.interval, '+.2f')}; {rests})"


def counter_losses_sentence(summary: Summary, table_difference: ArmDifference | None = None) -> str:
    """Return the counters for which a change of losses is established, adjusted for multiple tests.

    `table_difference` is the only difference whose changes are in the table above the sentence; None if all are.
    """
    rows = [(gap, side, name, found) for gap in summary.differences for side, name, found in gap.losses if name]
    if not rows:
        return ""
    clear = [
        f"{name} of {side}" + (f" ({gap.rules}{with_players(gap, summary)})" if len(summary.differences) > 1 else "")
        for gap, side, name, found in rows
        if found.p is not None and found.p < ERROR
    ]
    found = f"no accident: {', '.join(clear)}" if clear else "none is established"
    shown_count = sum(table_difference is None or gap is table_difference for gap, *_ in rows)
    shown_text = f", of which the table shows {shown_count}," if shown_count < len(rows) else ""
    return f"{len(rows)} changes of losses{shown_text} are looked at together (Holm): {found}"


def agreement_sentences(summary: Summary) -> Iterator[str]:
    """Yield the effects of a stack over all players, and whether the players agree."""
    for rules, than, found in summary.together:
        yield (
            f"{rules} instead of {than} over all players: {summary.side} wins {found.mean:+.1%} "
            f"({interval_text(found.interval, '+.1%')})"
        )
    agreements = summary.agreements
    disagreeing = [agreement for agreement in agreements if agreement.verdict != AGREE]
    yield from (agreement_sentence(agreement, summary) for agreement in disagreeing)
    if agreements and not disagreeing:
        widest = max(agreements, key=lambda one: (one.side != LEAD, abs(one.difference.mean)))
        sentence = agreement_sentence(widest, summary)
        yield f"no players disagree as far as {summary.games} games show; farthest apart: {sentence}"


def duel_sentences(duel: DuelSummary, summary: Summary) -> Iterator[str]:
    """Yield the results of two players who played both sides against each other."""
    stack_phrase = f" under {duel.rules}" if len(summary.stacks) > 1 else ""
    yield (
        f"{duel.player} against {duel.opponent}{stack_phrase}, {duel.pairs} games from each side: "
        f"won {duel.wins}, lost {duel.losses}, drew {duel.draws}"
    )
    yield (
        f"  lead in levels {estimate_text(duel.level)} a game; of {duel.pairs} pairs {duel.better} came out better and "
        f"{duel.worse} worse (sign test p {p_value_text(duel.p)}{_with_the_others(duel, summary)})"
    )


def _with_the_others(duel: DuelSummary, summary: Summary) -> str:
    many = len(summary.duels)
    return f"; with all {many} duels together {p_value_text(duel.p_adjusted)}" if many > 1 else ""


def comparison_name(comparison: ArmDifference | Agreement) -> tuple[str, str]:
    """Return the two stacks of a comparison."""
    return comparison.rules, comparison.than


def agreement_sentence(agreement: Agreement, summary: Summary) -> str:
    """Return whether two seatings agree on what a stack changes of a share, or of the lead in levels."""
    form = "+.2f" if agreement.side == LEAD else "+.1%"
    seen = {
        gap.players: f"{_effect_on(gap, agreement.side):{form}} with {gap.players}"
        for gap in summary.differences
        if comparison_name(gap) == comparison_name(agreement)
    }
    effects = f"{seen[agreement.first]}, {seen[agreement.second]}"
    difference = agreement.difference
    distance_text = f"{difference.mean:{form}} apart, {interval_text(difference.interval, form)}"
    whose = {summary.side: "", NOBODY: ", draws", LEAD: f", the lead in levels of {summary.side}"}.get(
        agreement.side, f", the wins of {agreement.side}"
    )
    comparison_text = f"{agreement.rules} instead of {agreement.than}{whose}: {effects} ({distance_text})"
    if agreement.verdict == AGREE:
        return comparison_text
    helps = "whom it helps" if agreement.side in (summary.side, LEAD) else "whether it makes them more or fewer"
    return f"PLAYERS DISAGREE on {helps if agreement.verdict == DIRECTION else 'how much it does'}, {comparison_text}"


def _effect_on(gap: ArmDifference, side: str) -> float:
    """Return the effect on a share, 0 for draws where no game with these players is drawn, or on the LEAD."""
    if side == LEAD:
        return gap.lead_change.mean
    return next((share.estimate for share in shares_of_difference(gap) if share.side == side), 0.0)
