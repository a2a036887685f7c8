"""The report on the search for causes, as sentences and as data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.lab.effect_attribution import (
    FOUND,
    OPEN,
    PLAYED_VERDICTS,
    REFUSED,
    SMALL,
    THE_REST,
    UNUSED,
    AblationResult,
    AblationUnit,
    pairs_differ,
    searched_differences,
    searched_players,
)
from rulewright.lab.experiment_sentences import interval_text, lead_text
from runtime.experiment.differences import NOBODY, ArmDifference
from runtime.experiment.report import level_report, wins_report
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import Summary
from runtime.experiment.verdict import LEVELS, SAME, UNTRIED, all_pairs_text, short_finding, winner_finding
from runtime.experiment.verdict import OPEN as STILL_OPEN
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
    yield from _lines_on_unplayed(causes, summary)
    found = [cause.unit for cause in causes if cause.state == FOUND]
    if not found:
        yield from (f"  {line}" for line in _not_found(causes, summary))
        return
    if all(unit.parts for unit in found):
        yield (
            "  a group matters, and no part that was left out alone: they matter together, each of several is enough, "
            "or more games are needed"
        )
    every = {label for cause in causes for label in cause.unit.labels}
    if not any(set(unit.labels) == every for unit in found):
        yield from (f"  {line}" for line in _undone(summary))
    elif len(summary.differences) > 1 and not has_effect(summary):
        yield "  that is so of these players by themselves; with all differences above together it is not established"
    yield f"  in short: {_in_short(causes, summary)}"


def _lines_on_unplayed(causes: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield what was not removed, because it cannot be or because nobody used it."""
    for cause in causes:
        if cause.state == REFUSED:
            yield f"  not played without {_named(cause.unit)}: {cause.reason}"
    certain, others = (", ".join(_unused_names(causes, certain=is_certain)) for is_certain in (True, False))
    if certain:
        yield f"  never executed, offered or in play in any game, so without influence on them: {certain}"
    if others:
        games_phrase = f" {summary.counted_games_text}" if summary.counted_games_text else ""
        without = f"so not played without: {others}"
        yield f"  without a part in any answer, never executed, not in play{games_phrase}, {without}"


def _unused_names(causes: Sequence[AblationResult], *, certain: bool) -> list[str]:
    """Return what was not used: what certainly had no influence, or the rest."""
    return [_named(cause.unit) for cause in causes if cause.state == UNUSED and bool(cause.reason) == certain]


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
    yield f"  in short: {_single_effects_text(parts, summary)}"


def _result_lines(
    results: Sequence[AblationResult], summary: Summary, preposition: str, verdicts: Mapping[str, str]
) -> Iterator[str]:
    """Yield a line for each unit that was played, with all shares."""
    small = f"it changes that by less than {points_text(summary.margin)}"
    for each in results:
        if each.state in PLAYED_VERDICTS:
            effects = "; ".join(_effect_text(gap, each) for gap in each.effects)
            verdict = small if each.state == SMALL else verdicts[each.state]
            if each.state == OPEN and all(gap.are_all_equal for gap in each.effects):
                pairs = all_pairs_text(sum(gap.pairs for gap in each.effects))
                verdict += f", though {pairs} of games came out the same"
            if each.of_levels:
                verdict += " (in levels)"
            lost = f" ({each.broken_pairs} pairs are left out, as the rules broke in them)" if each.broken_pairs else ""
            yield f"  {preposition} {_named(each.unit)}: {effects}: {verdict}{lost}"


def _effect_text(gap: ArmDifference, result: AblationResult) -> str:
    """Format the effect on all shares of wins with one seating, and that on levels where it is the one established."""
    shares = [share for share in gap.shares if not share.opposite]
    texts = [
        f"{'draws' if share.side == NOBODY else f'{share.side} wins'} {share.estimate:+.1%} "
        f"({interval_text(share.interval, '+.1%')})"
        for share in shares
    ]
    if result.of_levels:
        texts.append(f"lead in levels of {gap.wins.side} {lead_text(gap.lead)}")
    return f"{f'with {gap.players} ' if len(result.effects) > 1 else ''}{', '.join(texts)}"


def _player_text(summary: Summary) -> str:
    """Return who plays a search, and that others do not, if the experiment has more seatings."""
    names = summary.seatings
    searched = searched_players(names)
    if len(searched) == len(names):
        return ""
    last = "the last two" if len(searched) > 1 else "the last"
    return f", played only by {last} of the {len(names)} players or seatings, {list_text(searched)}"


def _joint_effect_text(summary: Summary) -> str:
    """Format the finding on all changes together, of each seating that plays the search."""
    gaps = searched_differences(summary)
    findings = [f"{f'with {gap.players} ' if len(gaps) > 1 else ''}{short_finding(gap, summary)}" for gap in gaps]
    return f"all changes together: {list_text(findings)}"


def _single_effects_text(parts: Sequence[AblationResult], summary: Summary) -> str:
    """Summarize in one sentence which parts have an effect alone."""
    named = _without_split_groups(parts)
    names = {state: _each_text([each.unit.name for each in named if each.state == state]) for state in PLAYED_VERDICTS}
    margin = points_text(summary.margin)
    clauses = [_joint_effect_text(summary)]
    found = [each for each in named if each.state == FOUND]
    for of_levels, what in ((False, "who wins changes"), (True, "levels change")):
        if units := [each.unit.name for each in found if each.of_levels == of_levels]:
            clauses.append(f"it is settled that {what} by {_each_text(units)} alone")
    if not found:
        clauses.append("no part is established to change who wins alone")
    if names[SMALL]:
        clauses.append(f"{names[SMALL]} alone changes that by less than {margin}")
    if names[OPEN]:
        clauses.append(f"whether {names[OPEN]} has an effect alone stays open")
    if {each.state for each in parts} == {SMALL} and has_effect(summary):
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
    clauses = [_joint_effect_text(summary)]
    kinds = (
        (FOUND, False, "it is settled of {} that who wins changes without it"),
        (FOUND, True, "it is settled of {} that levels change without it"),
        (SMALL, False, "and of {} that it changes that by less than " + points_text(summary.margin)),
        (OPEN, False, "whether it is so of {} stays open"),
    )
    named = _without_split_groups(causes)
    for state, of_levels, words in kinds:
        if names := [each.unit.name for each in named if (each.state, each.of_levels) == (state, of_levels)]:
            clauses.append(words.format(list_text(names)))
    return "; ".join(clauses)


def _not_found(causes: Sequence[AblationResult], summary: Summary) -> Iterator[str]:
    """Yield why no cause is named: nothing was used, everything is shown to be small, or there are too few games."""
    states = {each.state for each in causes}
    if has_effect(summary) and sum(len(each.unit.labels) for each in causes) > 1:
        is_small = states <= {SMALL, UNUSED}
        margin = points_text(summary.margin)
        yield (
            f"{_joint_effect_text(summary)}; but "
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
    """Return whether the removal of no single part explains an effect, of all changes or of a group of them.

    A change of levels does not explain that others win.
    """
    findings = {winner_finding(gap, summary) for gap in searched_differences(summary)}
    others_win = not findings <= {STILL_OPEN, SAME, UNTRIED, LEVELS}
    found = [cause.unit for cause in causes if _explains(cause, others_win=others_win)]
    if not found:
        return has_effect(summary) and len(set().union(*(cause.unit.labels for cause in causes))) > 1
    return any(unit.parts and not set(unit.parts) & set(found) for unit in found)


def _explains(cause: AblationResult, *, others_win: bool) -> bool:
    """Return whether a part matters, and to who wins if others do."""
    return cause.state == FOUND and not (cause.of_levels and others_win)


def has_effect(summary: Summary) -> bool:
    """Return whether it is established that all changes together change who wins, or levels."""
    return any(winner_finding(gap, summary) not in (STILL_OPEN, SAME, UNTRIED) for gap in searched_differences(summary))


def _undone(summary: Summary) -> Iterator[str]:
    """Yield a sentence if an effect of a part is found, but none of all changes together."""
    if not pairs_differ(summary):
        yield "all changes together leave every game as it was: what matters does so beside the others, which undo it"
    elif not has_effect(summary):
        yield "of all changes together no effect is established: others may undo what matters"


def _named(unit: AblationUnit) -> str:
    return unit.name if len(unit.labels) < 2 else f"{unit.name}, {len(unit.labels)} parts"


def causes_data(causes: Sequence[AblationResult], key: str = "without") -> list[dict[str, Any]]:
    """Return causes as data, each named by a key.

    `estimate` and the fields after it are those of the last seating, None for units that were not played; `by_players`
    has those of all, if two exchange sides. `of` is what is established to change: "wins", "levels" or None.
    """
    return [
        {
            key: each.unit.name,
            "labels": list(each.unit.labels),
            "state": each.state,
            "of": ("levels" if each.of_levels else "wins") if each.state == FOUND else None,
            **(_effect_data(each.effects[-1]) if each.effects else NO_EFFECT),
            "by_players": [{"players": gap.players, **_effect_data(gap)} for gap in each.effects],
            "broken": each.broken_pairs,
            "why": each.reason or None,
        }
        for each in causes
    ]


NO_EFFECT: Mapping[str, Any] = {
    **dict.fromkeys(("side", "estimate", "interval", "pairs", "established", "level")),
    "other_sides": [],
}


def _effect_data(gap: ArmDifference) -> Mapping[str, Any]:
    """Return the effect on the wins of all sides, on draws and on levels with one seating."""
    return {
        **wins_report(gap.wins),
        "other_sides": [wins_report(share) for share in gap.shares[1:] if not share.opposite],
        "level": level_report(gap.lead),
    }
