"""The public JSON of `play` and `compare`, as plain data in a fixed order."""

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from runtime.experiment.agreement import Agreement
from runtime.experiment.budget_trends import Balance, Trend, judge_balances, judge_trends
from runtime.experiment.duel_verdict import duel_finding, duel_sentences
from runtime.experiment.intervals import Estimate, Interval
from runtime.experiment.side_difference import SideDifference
from runtime.experiment.summary import Arm, Difference, DuelSummary, Summary
from runtime.experiment.verdict import judge_differences, verdict_reversals
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
        "decisions": end.choices,
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
    differences = [difference_data(gap) for gap in summary.differences]
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
        "turns_with_player": list(verdict_reversals(summary)),
        "by_thinking": [trend_data(one) for one in judge_trends(summary)],
        "balance_by_thinking": [balance_data(one) for one in judge_balances(summary)],
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


def trend_data(one: Trend) -> Mapping[str, Any]:
    """Build the report on whether an effect holds at rising budgets."""
    return {
        "rules": one.rules,
        "than": one.than,
        "players": list(one.players),
        "finding": one.finding,
        "estimates": [rounded(each) for each in one.estimates],
        "change": {"estimate": rounded(one.change), "interval": interval_ends(one.interval)},
        "says": [line.strip() for line in one.lines],
    }


def balance_data(one: Balance) -> Mapping[str, Any]:
    """Build the report on whether the balance depends on the budget."""
    shares = [rounded(each) for each in one.shares]
    return {"rules": one.rules, "players": list(one.players), "shares": shares, "moves": one.moves, "says": one.line}


def arm_data(one: Arm) -> Mapping[str, Any]:
    """Build the report of one stack with one seating."""
    losses: dict[str, dict[str, float]] = {}
    for side, counter, count in one.losses:
        losses.setdefault(side, {})[counter] = rounded(count)
    return {
        "rules": one.rules,
        "players": one.players,
        "wins": one.wins,
        "draws": one.draws,
        "n": one.n,
        "interval": interval_ends(one.interval),
        "won_by": dict(one.won_by),
        "levels": {side: rounded(level) for side, level in one.levels},
        "turns": rounded(one.turns),
        "lengths": dict(one.lengths),
        "decisions": rounded(one.choices),
        "losses": losses,
    }


def difference_data(gap: Difference) -> Mapping[str, Any]:
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
        "pairs_alike": gap.alike,
        "saved_by_pairing": None if gap.saved is None else rounded(gap.saved),
        "changes": [{**asdict(one), "only": one.only or None, "state": one.use_state} for one in gap.tried],
        "changes_not_counted": list(gap.uncounted),
        "level": estimate_data(gap.level),
        "turns": estimate_data(gap.turns),
        "decisions": estimate_data(gap.choices),
        "losses": losses,
    }


def wins_report(one: SideDifference) -> Mapping[str, Any]:
    """Build the report of the difference in wins of a side, or in draws."""
    return {
        "side": one.side or None,
        "estimate": rounded(one.estimate),
        "interval": interval_ends(one.interval),
        "method": "paired, Newcombe 1998 method 10",
        "p": rounded(one.p_value),
        "pairs": one.pairs._asdict(),
        "any_time": {
            "method": "Beta mixture of the pairs that differ, Robbins 1970",
            "p": rounded(one.p_any_time),
            "share": interval_ends(one.share),
            "decided": one.is_decided,
        },
        "together": {
            "method": "closed testing of all claims, an equal part for each difference; Bonferroni intervals",
            "interval": interval_ends(one.adjusted),
            "p": rounded(one.p_adjusted),
            "any_time_p": rounded(one.p_any_time_adjusted),
        },
        "same": {
            "method": "two one-sided bets, Waudby-Smith and Ramdas 2024",
            "p": rounded(one.p_same),
            "together_p": rounded(one.p_same_adjusted),
            "within_margin": one.is_equivalent,
        },
        "pairs_needed": {"for_effect_seen": one.needed[0] or None, "for_margin": one.needed[1]},
    }


def agreement_data(one: Agreement) -> Mapping[str, Any]:
    """Build the report on whether two seatings agree."""
    players = [one.first, one.second]
    return {
        "rules": one.rules,
        "than": one.than,
        "players": players,
        "side": one.side or None,
        **estimate_data(one.apart),
        "verdict": one.verdict,
    }


def duel_report(one: DuelSummary, summary: Summary) -> Mapping[str, Any]:
    """Build the report of a duel."""
    return {
        "finding": duel_finding(one, summary),
        "says": [line.strip() for line in duel_sentences(one, summary)],
        "rules": one.rules,
        "players": [one.who, one.whom],
        "won": one.won,
        "lost": one.lost,
        "drawn": one.drawn,
        "level": estimate_data(one.level),
        "pairs": one.pairs,
        "better": one.better,
        "worse": one.worse,
        "p": rounded(one.p),
        "any_time_p": rounded(one.p_any_time),
        "together": {
            "method": "an equal part for each duel, Bonferroni",
            "p": rounded(one.p_adjusted),
            "any_time_p": rounded(one.p_any_time_adjusted),
        },
        "same": {
            "method": "two one-sided bets, Waudby-Smith and Ramdas 2024",
            "p": rounded(one.p_same),
            "together_p": rounded(one.p_same_adjusted),
        },
        "pairs_needed": {"for_advantage_seen": one.needed[0] or None, "for_margin": one.needed[1]},
        "always_won_by": one.always or None,
    }


def estimate_data(found: Estimate) -> dict[str, Any]:
    """Build the report of a mean with its interval, and the number of differing pairs."""
    shown = {"estimate": rounded(found.mean), "interval": interval_ends(found.interval)}
    if found.apart is not None:
        shown["pairs_apart"] = found.apart
    if found.p is not None:
        shown["p"] = rounded(found.p)
    return shown


def interval_ends(interval: Interval) -> list[float]:
    """Return the rounded ends of an interval."""
    return [rounded(end) for end in interval]


def rounded(number: float) -> float:
    """Round a number for print."""
    return round(number, DIGITS)
