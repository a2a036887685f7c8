"""The public JSON of `play` and `compare`, as plain data in a fixed order."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import cast

from runtime.experiment.differences import ArmDifference, LeadDifference, SideDifference
from runtime.experiment.stopping import are_wins_same
from runtime.experiment.summary import DuelSummary, Summary, interval_ends, nested_by_side, rounded
from runtime.experiment.verdict import (
    duel_finding,
    duel_sentences,
    judge_differences,
    scope_sentence,
    unknown_sentences,
    verdict_reversals,
)
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.nodes import Scale
from runtime.graph.records.measuring import (
    ArmRecord,
    ChangeUseRecord,
    ComparisonRecord,
    DifferenceRecord,
    DuelRecord,
    LeadRecord,
    PairCountRecord,
    ShareRecord,
)
from runtime.graph.records.playing import FinishedGameRecord
from runtime.play.game import FinishedGame
from runtime.play.playthrough import Playthrough


def game_report(rules: graph.Graph, playthrough: Playthrough, end: FinishedGame) -> FinishedGameRecord:
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


def level_names(rules: graph.Graph, arms: Sequence[ArmRecord]) -> dict[str, str]:
    """Return the names of the places that sides reached, in their order."""
    reached = {place for arm in arms for counts in arm["level_counts"].values() for place in counts}
    return {place: str(level_name(rules, Fraction(place))) for place in sorted(reached, key=Fraction)}


def counter_titles(counters: Mapping[str, graph.Counter], arms: Sequence[ArmRecord]) -> dict[str, str]:
    """Return the titles of the counters that were lost; several of a side with one title are numbered."""
    lost = {(side, name) for arm in arms for side, losses in arm["losses"].items() for name in losses}
    namesakes: dict[tuple[str, str], list[str]] = {}
    for side, name in sorted(lost):
        namesakes.setdefault((side, words.counter(name, counters)), []).append(name)
    titles: dict[str, str] = {}
    for (_, title), names in namesakes.items():
        for number, name in enumerate(names, 1):
            titles[name] = f"{title} {number}" if len(names) > 1 else title
    return titles


def experiment_report(summary: Summary) -> ComparisonRecord:
    """Build the report of an experiment. `difference` is the first of `differences`."""
    differences = [difference_data(gap, summary) for gap in summary.differences]
    return {
        "side": summary.side,
        "games": summary.games,
        "stopped": summary.stopped,
        "margin": summary.margin,
        "verdicts": judge_differences(summary),
        "verdict_reversals": list(verdict_reversals(summary)),
        "looked_at": scope_sentence(summary) if summary.differences or summary.duels else None,
        "arms": list(summary.arms),
        "difference": next(iter(differences), None),
        "differences": differences,
        "duels": [_duel_report(duel, summary) for duel in summary.duels],
        "faults": [{"rules": fault.rules, "seed": fault.seed, "message": fault.message} for fault in summary.faults],
        "broken": summary.broken,
        "unsettled": [{"rules": rules, **offer.record()} for rules, offer in summary.unsettled],
        "unknown": list(unknown_sentences(summary)),
        "sides": list(summary.sides),
        "side_titles": dict(summary.sides),
    }


def difference_data(gap: ArmDifference, summary: Summary) -> DifferenceRecord:
    """Build the report of what a stack changes."""
    others = [_wins_report(share) for share in gap.shares[1:]]
    return {
        "rules": gap.rules,
        "than": gap.than,
        "players": gap.players,
        **_wins_report(gap.wins),
        "same": are_wins_same(gap, summary.margin),
        "other_sides": [share for share in others if share["side"]],
        "draws": next((share for share in others if not share["side"]), None),
        "equal_pairs": gap.equal_pairs,
        "turned": list(gap.turned_seeds),
        "changes": [
            cast(
                "ChangeUseRecord",
                {**asdict(use), "only": use.only or None, "used_by": dict(use.used_by), "state": use.use_state},
            )
            for use in gap.tried
        ],
        "changes_not_counted": list(gap.uncounted),
        "level": _level_report(gap.lead),
        "turns": rounded(gap.turns),
        "decisions": rounded(gap.choices),
        "losses": nested_by_side((lost.side, lost.counter, rounded(lost.change)) for lost in gap.losses),
        "loss_intervals": nested_by_side(
            (lost.side, lost.counter, interval_ends(lost.interval)) for lost in gap.losses
        ),
    }


def _level_report(lead: LeadDifference) -> LeadRecord:
    """Build the report of the lead in levels; without an interval nothing is claimed."""
    return {
        "estimate": rounded(lead.change),
        "interval": interval_ends(lead.interval) if lead.interval else None,
        "leads": [rounded(mean) for mean in lead.means],
        "established": lead.is_established,
    }


def _wins_report(difference: SideDifference) -> ShareRecord:
    """Build the report of the difference in wins of a side, or in draws."""
    return {
        "side": difference.side or None,
        "estimate": rounded(difference.estimate),
        "interval": interval_ends(difference.interval),
        "pairs": cast("PairCountRecord", difference.pairs._asdict()),
        "established": difference.is_established,
    }


def _duel_report(duel: DuelSummary, summary: Summary) -> DuelRecord:
    """Build the report of a duel."""
    return {
        "finding": duel_finding(duel, summary.margin),
        "says": list(duel_sentences(duel, summary)),
        "rules": duel.rules,
        "players": [duel.player, duel.opponent],
        "won": duel.wins,
        "lost": duel.losses,
        "drawn": duel.draws,
        "level": rounded(duel.level),
        "pairs": duel.pairs.n,
        "better": duel.pairs.better,
        "worse": duel.pairs.worse,
        "estimate": rounded(duel.pairs.gain),
        "interval": interval_ends(duel.interval),
        "always_won_by": duel.always or None,
    }
