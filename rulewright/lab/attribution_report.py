"""The report on the search for causes, as sentences and as data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.lab.attribution import (
    FOUND,
    OPEN,
    PLAYED,
    REFUSED,
    SMALL,
    THE_REST,
    UNUSED,
    AblationResult,
    AblationUnit,
    pairs_differ,
)
from rulewright.lab.sentences import interval_text, p_value_text
from runtime.experiment.report import interval_ends, rounded
from runtime.experiment.side_difference import NOBODY
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import Difference, Summary
from runtime.experiment.verdict import OPEN as STILL_OPEN
from runtime.experiment.verdict import SAME, UNTRIED, short_finding, winner_finding
from runtime.graph.words import list_text

NONE_ESTABLISHED = "no part and no group is established as the cause"


def attribution_sentences(causes: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield the sentences about the results of an attribution, and about what was not tested."""
    last = summary.stacks[-1]
    yield (
        f"which of the changed rules it was, {last} without each against {last}{_player_text(summary)} "
        "(at most one such search in 20 makes a false claim)"
    )
    yield from _result_lines(causes, summary, "without", {FOUND: "IT MATTERS", OPEN: "whether it matters stays open"})
    for each in causes:
        if each.state == REFUSED:
            yield f"  not played without {_named(each.unit)}: {each.reason}"
    if certain := [_named(each.unit) for each in causes if each.state == UNUSED and each.reason]:
        yield f"  never executed, offered or in play in any game, so without influence on them: {', '.join(certain)}"
    if unused := [_named(each.unit) for each in causes if each.state == UNUSED and not each.reason]:
        games_phrase = f" {summary.counted_games_text}" if summary.counted_games_text else ""
        names = ", ".join(unused)
        yield f"  in no answer, never executed, not in play{games_phrase}, so not played without: {names}"
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


def alone_sentences(alone: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield the sentences about what each part does without the others."""
    last = summary.differences[-1]
    has_rest = any(each.unit == THE_REST for each in alone)
    against = f"{last.rules} with {THE_REST.name}" if has_rest else last.than
    yield (
        f"each part alone, {last.rules} with only this one of the changed parts against {against}"
        f"{_player_text(summary)} "
        "(at most one such search in 20 makes a false claim)"
    )
    rest = [each for each in alone if each.unit == THE_REST]
    parts = [each for each in alone if each.unit != THE_REST]
    words = {
        FOUND: "WHAT DIFFERS BESIDES THE PARTS MATTERS",
        OPEN: "whether what differs besides the parts matters stays open",
    }
    yield from _result_lines(rest, summary, f"against {last.than},", words)
    words = {FOUND: "IT IS ENOUGH FOR AN EFFECT", OPEN: "whether it has an effect alone stays open"}
    yield from _result_lines(parts, summary, "only", words)
    for each in alone:
        if each.state == REFUSED:
            yield f"  not played alone: {_named(each.unit)}, which depends on other parts: {each.reason}"
    yield f"  in short: {_in_short_alone(parts, summary)}"


def _result_lines(
    results: Sequence[AblationResult], summary: Summary, preposition: str, verdicts: Mapping[str, str]
) -> Iterator[str]:
    """Yield a line for each unit that was played, with all shares."""
    small = f"it changes that by less than {points_text(summary.margin)}"
    for each in results:
        if each.state in PLAYED:
            of_all = (
                (summary.side, each.estimate, each.interval),
                *((o.side, o.estimate, o.interval) for o in each.others),
            )
            wins = ", ".join(
                f"{'draws' if side == NOBODY else f'{side} wins'} {seen:+.1%} ({interval_text(ends, '+.1%')})"
                for side, seen, ends in of_all
            )
            verdict = small if each.state == SMALL else verdicts[each.state]
            lost = f" ({each.broken_pairs} pairs are left out, as the rules broke in them)" if each.broken_pairs else ""
            yield f"  {preposition} {_named(each.unit)}: {wins}, p {p_value_text(each.p)}: {verdict}{lost}"


def _player_text(summary: Summary) -> str:
    """Return who plays a search, and that others do not, if the experiment has several seatings."""
    seatings = len({arm.players for arm in summary.arms})
    if seatings == 1:
        return ""
    return f", played only by the last of the {seatings} players or seatings, {summary.arms[-1].players}"


def _in_short_alone(parts: Sequence[AblationResult], summary: Summary) -> str:
    """Summarize in one sentence which parts have an effect alone."""
    named = _without_split_groups(parts)
    names = {state: _each_text([each.unit.name for each in named if each.state == state]) for state in PLAYED}
    last = summary.differences[-1]
    margin = points_text(summary.margin)
    clauses = [f"all changes together: {short_finding(last, summary)}"]
    if names[FOUND]:
        clauses.append(f"it is settled that who wins changes by {names[FOUND]} alone")
    else:
        clauses.append("no part is established to change who wins alone")
    if names[SMALL]:
        clauses.append(f"{names[SMALL]} alone changes that by less than {margin}")
    if names[OPEN]:
        clauses.append(f"whether {names[OPEN]} has an effect alone stays open")
    if {each.state for each in parts} == {SMALL} and has_effect(last, summary):
        clauses.append("so they act together, or small effects add up")
    return "; ".join(clauses)


def _without_split_groups(results: Sequence[AblationResult]) -> list[AblationResult]:
    """Return results without the groups of which a part is found."""
    found = [each.unit for each in results if each.state == FOUND]
    return [each for each in results if not any(part in found for part in each.unit.parts)]


def _each_text(names: Sequence[str]) -> str:
    return list_text(names) if len(names) < 2 else f"each of {list_text(names)}"


def _in_short(causes: Sequence[AblationResult], summary: Summary) -> str:
    """Summarize in one sentence what is settled of all changes together and of their parts, and what is open."""
    last = summary.differences[-1]
    clauses = [f"all changes together: {short_finding(last, summary)}"]
    kinds = (
        (FOUND, "it is settled of {} that who wins changes without it"),
        (SMALL, "and of {} that it changes that by less than " + points_text(summary.margin)),
        (OPEN, "whether it is so of {} stays open"),
    )
    named = _without_split_groups(causes)
    for state, words in kinds:
        if names := [each.unit.name for each in named if each.state == state]:
            clauses.append(words.format(list_text(names)))
    return "; ".join(clauses)


def _not_found(causes: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield why no cause is named: nothing was used, everything is shown to be small, or there are too few games."""
    states = {each.state for each in causes}
    last = summary.differences[-1]
    if has_effect(last, summary) and sum(len(each.unit.labels) for each in causes) > 1:
        is_small = states <= {SMALL, UNUSED}
        margin = points_text(summary.margin)
        yield (
            f"all changes together: {short_finding(last, summary)}; but "
            + (f"leaving out one part changes that by less than {margin}" if is_small else NONE_ESTABLISHED)
            + ": several parts may each be enough for the effect, or small ones add up"
            + ("" if is_small else ", or more games are needed")
        )
    elif states == {UNUSED}:
        yield "no part was used, so none was left out: more games, other players or situations may use some"
    elif states <= {SMALL, UNUSED}:
        yield f"no cause to find: each part that was left out changes that by less than {points_text(summary.margin)}"
    elif states != {REFUSED}:
        yield f"{NONE_ESTABLISHED}: more games may find one"


def needs_each_alone(causes: Sequence[AblationResult], summary: Summary) -> bool:
    """Return whether the removal of no single part explains an effect, of all changes or of a group of them."""
    found = [each.unit for each in causes if each.state == FOUND]
    if any(unit.parts and not any(part in found for part in unit.parts) for unit in found):
        return True
    part_count = len({label for each in causes for label in each.unit.labels})
    return not found and part_count > 1 and has_effect(summary.differences[-1], summary)


def has_effect(gap: Difference, summary: Summary) -> bool:
    """Return whether it is established that a difference changes who wins."""
    return winner_finding(gap, summary) not in (STILL_OPEN, SAME, UNTRIED)


def _undone(summary: Summary) -> Iterator[str]:
    """Yield a sentence if an effect of a part is found, but none of all changes together."""
    if not pairs_differ(summary):
        yield "all changes together leave every game as it was: what matters does so beside the others, which undo it"
    elif winner_finding(summary.differences[-1], summary) in (STILL_OPEN, SAME):
        yield "of all changes together no effect is established: others may undo what matters"


def _named(unit: AblationUnit) -> str:
    return unit.name if len(unit.labels) < 2 else f"{unit.name}, {len(unit.labels)} parts"


def causes_data(causes: Sequence[AblationResult], key: str = "without") -> list[dict[str, Any]]:
    """Return causes as data, each named by a key.

    `estimate` and `interval` of the difference are None for units that were not played.
    """
    return [
        {
            key: each.unit.name,
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
