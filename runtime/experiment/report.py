"""The promised JSON of `play` and `compare` (DESIGN 9), as plain data in a fixed order."""

from collections.abc import Mapping
from typing import Any

from runtime.experiment.summary import Arm, Difference, Summary
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.nodes import Scale
from runtime.play.course import Course
from runtime.play.game import Finished

# Shares are printed in promille at most; more digits than the interval carries would only pretend.
DIGITS = 4


def played(rules: graph.Graph, course: Course, end: Finished) -> dict[str, Any]:
    """Report one game."""
    return {
        "winner": end.winner or None,
        "level": level_name(rules, end.level),
        "levels": {side: level_name(rules, level) for side, level in end.levels},
        "turns": end.turn,
        "decisions": end.choices,
        "dice": len(course.dice),
        "state_hash": course.digest(),
    }


def level_name(rules: graph.Graph, level: int | None) -> str | int | None:
    """Name a place on the scale of the outcome."""
    type_ = rules.terms[rules.outcome].type if rules.outcome else None
    if level is None or not isinstance(type_, Scale):
        return level
    return words.place(type_.name, level, rules.vocabulary)


def compared(summary: Summary) -> dict[str, Any]:
    """Report an experiment."""
    return {
        "side": summary.side,
        "arms": [arm(one) for one in summary.arms],
        "difference": difference(summary.difference) if summary.difference else None,
        "rules_fired": {label: [rounded(count) for count in counts] for label, counts in summary.fired},
        "faults": [{"rules": f.rules, "seed": f.seed, "message": f.message} for f in summary.faults],
    }


def arm(one: Arm) -> Mapping[str, Any]:
    """Report one stack."""
    losses: dict[str, dict[str, float]] = {}
    for side, counter, count in one.losses:
        losses.setdefault(side, {})[counter] = rounded(count)
    return {
        "rules": one.rules,
        "wins": one.wins,
        "draws": one.draws,
        "n": one.n,
        "interval": [rounded(end) for end in one.interval],
        "won_by": dict(one.won_by),
        "levels": {side: rounded(level) for side, level in one.levels},
        "turns": rounded(one.turns),
        "decisions": rounded(one.choices),
        "losses": losses,
    }


def difference(gap: Difference) -> Mapping[str, Any]:
    """Report what the second stack changes."""
    return {
        "estimate": rounded(gap.estimate),
        "interval": [rounded(end) for end in gap.interval],
        "method": "paired, Newcombe 1998 method 10",
        "p": rounded(gap.p),
        "pairs": gap.pairs._asdict(),
        "level": {"estimate": rounded(gap.level), "interval": [rounded(end) for end in gap.level_interval]},
    }


def rounded(number: float) -> float:
    """Round for print."""
    return round(number, DIGITS)
