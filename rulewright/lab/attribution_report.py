"""The report on the search for causes, as sentences and as data."""

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.lab.attribution import (
    FOUND,
    OPEN,
    PLAYED,
    REFUSED,
    SMALL,
    UNUSED,
    AblationResult,
    AblationUnit,
    pairs_differ,
)
from rulewright.lab.sentences import interval_text, p_value_text
from runtime.experiment.report import interval_ends, rounded
from runtime.experiment.side_difference import NOBODY
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import Summary
from runtime.experiment.verdict import OPEN as STILL_OPEN
from runtime.experiment.verdict import SAME, UNTRIED, short_finding, winner_finding
from runtime.graph.words import list_text

NONE_ESTABLISHED = "no part and no group is established as the cause"


def attribution_sentences(causes: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield the sentences about the results of an attribution, and about what was not tested."""
    last = summary.stacks[-1]
    player = f", played by {summary.arms[-1].players}" if len({arm.players for arm in summary.arms}) > 1 else ""
    yield (
        f"which of the changed rules it was, {last} without each against {last}{player} "
        "(at most one such search in 20 makes a false claim)"
    )
    for each in causes:
        if each.state in PLAYED:
            of_all = (
                (summary.side, each.estimate, each.interval),
                *((o.side, o.estimate, o.interval) for o in each.others),
            )
            wins = ", ".join(
                f"{'draws' if side == NOBODY else f'{side} wins'} {seen:+.1%} ({interval_text(ends, '+.1%')})"
                for side, seen, ends in of_all
            )
            small = f"it changes that by less than {points_text(summary.margin)}"
            verdict = {FOUND: "IT MATTERS", SMALL: small, OPEN: "whether it matters stays open"}[each.state]
            lost = f" ({each.broken_pairs} pairs are left out, as the rules broke in them)" if each.broken_pairs else ""
            yield (f"  without {_named(each.unit)}: {wins}, p {p_value_text(each.p)}: {verdict}{lost}")
    for each in causes:
        if each.state == REFUSED:
            yield f"  not played without {_named(each.unit)}: {each.reason}"
    if unused := [_named(each.unit) for each in causes if each.state == UNUSED]:
        games_phrase = f" {summary.counted_games_text}" if summary.counted_games_text else ""
        yield f"  never live, done or in play{games_phrase}, so not played without: {', '.join(unused)}"
    leaves = [each for each in causes if each.state == FOUND and not each.unit.parts]
    if not any(each.state == FOUND for each in causes):
        yield from (f"  {line}" for line in _not_found(causes, summary))
        return
    if not leaves:
        yield (
            "  a group matters, and no part that was left out alone: they matter together, each of several is enough, "
            "or more games are needed"
        )
    every = {label for each in causes for label in each.unit.labels}
    if not any(each.state == FOUND and set(each.unit.labels) == every for each in causes):
        yield from (f"  {line}" for line in _undone(summary))
    elif len(summary.differences) > 1 and winner_finding(summary.differences[-1], summary) in (STILL_OPEN, SAME):
        yield "  that is so of these players by themselves; with all differences above together it is not established"
    yield f"  in short: {_in_short(causes, summary)}"


def _in_short(causes: Sequence[AblationResult], summary: Summary) -> str:
    """Summarize in one sentence what is settled of all changes together and of their parts, and what is open."""
    last = summary.differences[-1]
    clauses = [f"all changes together: {short_finding(last, summary)}"]
    kinds = (
        (FOUND, "it is settled of {} that who wins changes without it"),
        (SMALL, "and of {} that it changes that by less than " + points_text(summary.margin)),
        (OPEN, "whether it is so of {} stays open"),
    )
    for state, words in kinds:
        if names := [each.unit.name for each in causes if each.state == state]:
            clauses.append(words.format(list_text(names)))
    return "; ".join(clauses)


def _not_found(causes: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield why no cause is named: nothing was used, everything is shown to be small, or there are too few games."""
    states = {each.state for each in causes}
    last = summary.differences[-1]
    together = winner_finding(last, summary)
    if together not in (STILL_OPEN, SAME, UNTRIED) and sum(len(each.unit.labels) for each in causes) > 1:
        is_small = states <= {SMALL, UNUSED}
        margin = points_text(summary.margin)
        yield (
            f"all changes together: {short_finding(last, summary)}; but "
            + (f"leaving out one part changes that by less than {margin}" if is_small else NONE_ESTABLISHED)
            + ": several parts may each be enough for the effect, or small ones add up"
            + ("" if is_small else ", or more games are needed")
        )
        yield f"to tell, give each part a layer of its own, and compare each of these alone with {last.than}"
    elif states == {UNUSED}:
        yield "nothing was left out: other players, another situation or more games may use what is changed"
    elif states <= {SMALL, UNUSED}:
        yield f"no cause to find: each part that was left out changes that by less than {points_text(summary.margin)}"
    elif states != {REFUSED}:
        yield f"{NONE_ESTABLISHED}: more games may find one"


def _undone(summary: Summary) -> Iterator[str]:
    """Yield a sentence if an effect of a part is found, but none of all changes together."""
    if not pairs_differ(summary):
        yield "all changes together leave every game as it was: what matters does so beside the others, which undo it"
    elif winner_finding(summary.differences[-1], summary) in (STILL_OPEN, SAME):
        yield "of all changes together no effect is established: others may undo what matters"


def _named(unit: AblationUnit) -> str:
    return unit.name if len(unit.labels) < 2 else f"{unit.name}, {len(unit.labels)} parts"


def causes_data(causes: Sequence[AblationResult]) -> list[dict[str, Any]]:
    """Return causes as data; `estimate` and `interval` of the difference are None for units that were not played."""
    return [
        {
            "without": each.unit.name,
            "labels": list(each.unit.labels),
            "state": each.state,
            "estimate": rounded(each.estimate) if each.state in PLAYED else None,
            "interval": interval_ends(each.interval) if each.state in PLAYED else None,
            "p": rounded(each.p) if each.state in PLAYED else None,
            "other_sides": [
                {
                    "side": difference.side or None,
                    "estimate": round(difference.estimate, 4),
                    "interval": [round(end, 4) for end in difference.interval],
                }
                for difference in each.others
            ],
            "broken": each.broken_pairs,
            "why": each.reason or None,
        }
        for each in causes
    ]
