"""Format how often the changes of an experiment came into use.

The input is a difference, with the use of each of its changes; the output is sentences: unused changes first, and
options of players before all others.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from runtime.experiment import change_use
from runtime.experiment.differences import ArmDifference
from runtime.experiment.reachable_changes import ACTION, OFFER, REACTION
from runtime.graph.words import list_text, readable_name, times_text

# The most names of one kind that are listed; more are counted.
NAMED = 6
OF_PLAYERS = frozenset({ACTION, REACTION, OFFER})


def unused_option(gap: ArmDifference, counted: str) -> str:
    """State that players have new options of which none was offered, or none used; "" if one was used.

    `counted`: in which games uses were counted; "" if in all.
    """
    options = [change for change in gap.tried if change.what in OF_PLAYERS]
    if not options or any(change.use_state == change_use.USED for change in options):
        return ""
    names = list_text([readable_name(change.name) for change in options[:NAMED]])
    return f"no player used the new {'option' if len(options) == 1 else 'options'} {counted}".rstrip() + f": {names}"


def change_use_texts(gap: ArmDifference, counted: str) -> Iterator[str]:
    """Return the use of the changes: unused ones first, and options of players before all others."""
    if gap.tried:
        yield from _watched_change_texts(gap, counted)
    if gap.uncounted:
        more = len(gap.uncounted) - NAMED
        names = ", ".join(gap.uncounted[:NAMED]) + (f" and {more} more" if more > 0 else "")
        yield f"changed besides: {names}; how often that mattered is not counted"


def _watched_change_texts(gap: ArmDifference, counted: str) -> Iterator[str]:
    titles = {share.side: share.title for share in gap.shares}
    used = sum(change.use_state == change_use.USED for change in gap.tried)
    games_text = f" {counted}" if counted else ""
    yield f"changed: {', '.join(_count_kinds(gap.tried))}; {used} of {len(gap.tried)} used{games_text}"
    for state, words in WORDS_OF_USE.items():
        found = sorted(
            (change for change in gap.tried if change.use_state == state), key=lambda one: one.what not in OF_PLAYERS
        )
        if found:
            yield f"{words}: {_change_list_text(found, titles)}"
    taken_options = [
        change for change in gap.tried if change.use_state == change_use.USED and change.what in OF_PLAYERS
    ]
    if taken_options:
        yield f"used: {_change_list_text(taken_options, titles)}"


WORDS_OF_USE = {
    change_use.NEVER_TAKEN: "offered, never used",
    change_use.NEVER_OFFERED: "never offered",
    change_use.NEVER_REACHED: "never reached",
    change_use.NEVER_ASKED: "never asked",
    change_use.NEVER_LIVE: "asked, never applied",
    change_use.NEVER_IN_PLAY: "never in play",
}


def _count_kinds(found: Sequence[change_use.ChangeUse]) -> Iterator[str]:
    """Count the changes of each kind."""
    counts: dict[str, int] = defaultdict(int)
    for change in found:
        counts[change.what] += 1
    for kind, count in sorted(counts.items()):
        yield f"{count} {kind if count == 1 else f'{kind}s'}"


def _change_list_text(found: Sequence[change_use.ChangeUse], titles: Mapping[str, str]) -> str:
    """Format changes with how often they were reached."""
    text = ", ".join(change_count_text(change, titles) for change in found[:NAMED])
    more = len(found) - NAMED
    return f"{text} and {more} more" if more > 0 else text


def change_count_text(change: change_use.ChangeUse, titles: Mapping[str, str]) -> str:
    """Format a change with how often it was reached, and by whom, by the titles of sides."""
    name = change.name if change.what == "rule" else f"{change.what} {change.name}"
    removal_note = " (removed)" if change.only == "than" else ""
    match change.use_state:
        case "never taken":
            reason = "" if change.preferred else f"; {_unwanted_action_text(change)}, so greedy players never begin it"
            return f"{name}{removal_note} (offered {times_text(change.offered)}, never used{reason})"
        case "never offered" if change.reached:
            return f"{name}{removal_note} (actions were asked for {times_text(change.reached)}, and it was never open)"
        case "never offered":
            return f"{name}{removal_note} (no offer of it was reached)"
        case "used" if change.what in OF_PLAYERS:
            by_side = ", ".join(f"{titles[side]} {times}" for side, times in change.used_by)
            used = f"used {times_text(change.used)}{f': {by_side}' if by_side else ''}"
            return f"{name}{removal_note} (offered {times_text(change.offered)}, {used})"
        case _:
            return f"{name}{removal_note}"


def _unwanted_action_text(change: change_use.ChangeUse) -> str:
    """Return what the rules state about an action without a preference."""
    if change.no_preference:
        return f'its rules never prefer it, "{change.no_preference}"'
    return "nothing in it is `preferring`"
