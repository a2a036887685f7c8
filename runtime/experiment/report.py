"""The public JSON of `play` and `compare`, as plain data in a fixed order."""

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from runtime.experiment.agreement import Agreement
from runtime.experiment.duel_verdict import duel_finding, duel_sentences
from runtime.experiment.leads import LeadDifference
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate
from runtime.experiment.side_difference import SideDifference
from runtime.experiment.summary import Arm, ArmDifference, DuelSummary, Summary
from runtime.experiment.verdict import established_leads, judge_differences, verdict_reversals
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.nodes import Scale
from runtime.play.game import FinishedGame
from runtime.play.playthrough import Playthrough

# Shares are printed with three digits at most; more digits than the interval supports would be misleading.
DIGITS = 4


def game_report(rules: graph.Graph, playthrough: Playthrough, end: FinishedGame) -> dict[str, Any]:
    """Build the report of one game."""
    return {
        "winner": end.winner or None,
        "level": level_name(rules, end.level),
        "levels": {side: level_name(rules, level) for side, level in end.levels},
        "turns": end.turn,
        "decisions": end.choice_count,
        "dice": len(playthrough.dice),
        "state_hash": playthrough.digest(),
    }


def level_name(rules: graph.Graph, level: int | Fraction | None) -> str | int | None:
    """Return the name of a place on the scale of the outcome."""
    type_ = rules.terms[rules.outcome].type if rules.outcome else None
    if level is None or not isinstance(type_, Scale):
        return str(level) if isinstance(level, Fraction) else level
    return words.place_name(type_.name, level, rules.vocabulary)


def experiment_report(summary: Summary) -> dict[str, Any]:
    """Build the report of an experiment. `difference` is the first of `differences`."""
    differences = [difference_data(gap, summary) for gap in summary.differences]
    return {
        "side": summary.side,
        "games": summary.games,
        "stopped": summary.stopped,
        "margin": summary.margin,
        "verdicts": [
            {
                "rules": one.rules,
                "than": one.than,
                "players": one.players,
                "finding": one.finding,
                "says": [line.strip() for line in one.lines],
            }
            for one in judge_differences(summary)
        ],
        "verdict_reversals": list(verdict_reversals(summary)),
        "arms": [arm_data(one) for one in summary.arms],
        "difference": differences[0] if differences else None,
        "differences": differences,
        "together": [{"rules": rules, "than": than, **estimate_data(found)} for rules, than, found in summary.together],
        "agreement": [agreement_data(one) for one in summary.agreements],
        "duels": [duel_report(one, summary) for one in summary.duels],
        "rules_fired": {label: [rounded(count) for count in counts] for label, counts in summary.fired},
        "faults": [{"rules": f.rules, "seed": f.seed, "message": f.message} for f in summary.faults],
        "broken": summary.broken,
        "unsettled": [{"rules": rules, **offer.data()} for rules, offer in summary.unsettled],
    }


def arm_data(arm: Arm) -> Mapping[str, Any]:
    """Build the report of one stack with one seating."""
    losses: dict[str, dict[str, float]] = {}
    for side, counter, count in arm.losses:
        losses.setdefault(side, {})[counter] = rounded(count)
    return {
        "rules": arm.rules,
        "players": arm.players,
        "wins": arm.wins,
        "draws": arm.draws,
        "n": arm.n,
        "interval": interval_ends(arm.interval),
        "won_by": dict(arm.won_by),
        "levels": {side: rounded(level) for side, level in arm.levels},
        "turns": rounded(arm.turns),
        "lengths": dict(arm.lengths),
        "decisions": rounded(arm.choices),
        "losses": losses,
    }


def difference_data(gap: ArmDifference, summary: Summary) -> Mapping[str, Any]:
    """Build the report of what a stack changes."""
    losses: dict[str, dict[str, Any]] = {}
    for side, counter, found in gap.losses:
        losses.setdefault(side, {})[counter or "all"] = estimate_data(found)
    return {
        "rules": gap.rules,
        "than": gap.than,
        "players": gap.players,
        **wins_report(gap),
        "other_sides": [wins_report(one) for one in gap.others],
        "draws": wins_report(gap.draws) if gap.draws else None,
        "equal_pairs": gap.equal_pairs,
        "saved_by_pairing": None if gap.saved is None else rounded(gap.saved),
        "changes": [{**asdict(one), "only": one.only or None, "state": one.use_state} for one in gap.tried],
        "changes_not_counted": list(gap.uncounted),
        "level": level_report(gap.leads[0], gap, summary),
        "levels_of_others": {lead.side: level_report(lead, gap, summary) for lead in gap.leads[1:]},
        "own_levels": {side: estimate_data(found) for side, found in gap.own_levels},
        "turns": estimate_data(gap.turns),
        "decisions": estimate_data(gap.choices),
        "losses": losses,
    }


def level_report(lead: LeadDifference, gap: ArmDifference, summary: Summary) -> Mapping[str, Any]:
    """Build the report of the lead of a side in levels; p-values are None if levels tell no more than who wins."""
    test = lead.test
    return {
        **estimate_data(lead.change),
        "leads": [rounded(mean) for mean in lead.means],
        "method": "signs of paired changes, Fisher 1935; a fifth of the error of all claims",
        "p": test and rounded(test.p),
        "together_p": test and rounded(test.p_adjusted),
        "together_any_time_p": test and rounded(test.p_any_time_adjusted),
        "established": lead in established_leads(gap, summary),
    }


def wins_report(difference: SideDifference) -> Mapping[str, Any]:
    """Build the report of the difference in wins of a side, or in draws."""
    return {
        "side": difference.side or None,
        "estimate": rounded(difference.estimate),
        "interval": interval_ends(difference.interval),
        "method": "paired, Newcombe 1998 method 10",
        "p": rounded(difference.p_value),
        "pairs": difference.pairs._asdict(),
        "any_time": {
            "method": "Beta mixture of the pairs that differ, Robbins 1970",
            "p": rounded(difference.p_any_time),
            "share": interval_ends(difference.share),
            "decided": difference.is_decided,
        },
        "together": {
            "method": "closed testing of all claims, an equal part for each difference; Bonferroni intervals",
            "interval": interval_ends(difference.adjusted),
            "p": rounded(difference.p_adjusted),
            "any_time_p": rounded(difference.p_any_time_adjusted),
        },
        "same": {
            "method": "two one-sided bets, Waudby-Smith and Ramdas 2024",
            "p": rounded(difference.p_same),
            "together_p": rounded(difference.p_same_adjusted),
            "within_margin": difference.is_equivalent,
        },
        "pairs_needed": {
            "for_effect_seen": difference.needed.for_seen or None,
            "for_margin": difference.needed.for_margin,
            "for_same": difference.needed.for_same or None,
        },
    }


def agreement_data(agreement: Agreement) -> Mapping[str, Any]:
    """Build the report on whether two seatings agree."""
    players = [agreement.first, agreement.second]
    return {
        "rules": agreement.rules,
        "than": agreement.than,
        "players": players,
        "side": agreement.side or None,
        **estimate_data(agreement.difference),
        "verdict": agreement.verdict,
    }


def duel_report(duel: DuelSummary, summary: Summary) -> Mapping[str, Any]:
    """Build the report of a duel."""
    return {
        "finding": duel_finding(duel, summary),
        "says": [line.strip() for line in duel_sentences(duel, summary)],
        "rules": duel.rules,
        "players": [duel.player, duel.opponent],
        "won": duel.wins,
        "lost": duel.losses,
        "drawn": duel.draws,
        "level": estimate_data(duel.level),
        "pairs": duel.pairs,
        "better": duel.better,
        "worse": duel.worse,
        "p": rounded(duel.p),
        "any_time_p": rounded(duel.p_any_time),
        "together": {
            "method": "an equal part for each duel, Bonferroni",
            "p": rounded(duel.p_adjusted),
            "any_time_p": rounded(duel.p_any_time_adjusted),
        },
        "same": {
            "method": "two one-sided bets, Waudby-Smith and Ramdas 2024",
            "p": rounded(duel.p_same),
            "together_p": rounded(duel.p_same_adjusted),
        },
        "pairs_needed": {"for_advantage_seen": duel.needed[0] or None, "for_margin": duel.needed[1]},
        "always_won_by": duel.always or None,
    }


def estimate_data(found: Estimate) -> dict[str, Any]:
    """Build the report of a mean with its interval, and the number of differing pairs."""
    report = {"estimate": rounded(found.mean), "interval": interval_ends(found.interval)}
    if found.differing_pairs is not None:
        report["differing_pairs"] = found.differing_pairs
    if found.p is not None:
        report["p"] = rounded(found.p)
    return report


def interval_ends(interval: ConfidenceInterval) -> list[float]:
    """Return the rounded ends of an interval."""
    return [rounded(end) for end in interval]


def rounded(number: float) -> float:
    """Round a number for print."""
    return round(number, DIGITS)
