"""The news of a game: events in words, as far as the reader may know of them.

In: the journal of a playthrough from some point on. Out: lines. What procedures tell of themselves comes as their
sentences, with the paragraph; what happened to the pieces that such a sentence speaks of is not told again. Told are
besides moves, losses, new pieces, counters laid on pieces, pairs, the clock, and dice that no sentence has; not what
the rules only note for themselves, and no record at all: it may be another side's secret.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from rulewright.table.preview_lines import bracketed_sources
from runtime.graph import words
from runtime.graph.english import predicate_text
from runtime.play.accounts import EVENT as ACCOUNT
from runtime.play.accounts import ClosedAccount, accounts_in, pieces_of
from runtime.play.playthrough import Playthrough
from runtime.state.position import GONE, State
from runtime.state.record import Event

# More of one kind of news than this at a time is summed up: a whole set-up is not told unit by unit.
MANY = 12


def events_text(playthrough: Playthrough, since: int, thrown: int, dice: str = "dice", reader: str = "") -> list[str]:
    """Return the events from number `since` and the dice from number `thrown` on, in words, dice under this heading.

    What rests on a side's secrets is told to that side alone, as `reader`.
    """
    return events_between(playthrough, (since, thrown), (len(playthrough.journal), len(playthrough.dice)), dice, reader)


def events_between(
    playthrough: Playthrough, since: tuple[int, int], until: tuple[int, int], dice: str = "dice", reader: str = ""
) -> list[str]:
    """Return the events and dice between two moments, in words; a moment is the number of both that there had been."""
    happened = playthrough.journal[since[0] : until[0]]
    return event_lines(
        playthrough, happened, [each.event for each in reported_events(happened, reader)], since[1], until[1], dice
    )


class ReportedEvent(NamedTuple):
    """An event of a journal that is told: its number, and the number of the event in whose place it is told."""

    number: int
    place: int
    event: Event


def reported_events(journal: Sequence[Event], reader: str) -> list[ReportedEvent]:
    """List what is told of a journal: no event that a sentence tells, and each sentence where what it tells began.

    A procedure tells of itself when it is over. Where others were asked meanwhile, what befell them stands behind.
    """
    covered: set[int] = set()
    places: dict[int, int] = {}
    for at, event in enumerate(journal):
        if event.what == ACCOUNT and may_read_account(event.new, reader):
            named = {piece for field in event.new.fields for piece in pieces_of(field.type, field.value)}
            inside = [each for each in range(max(0, at - event.new.events), at) if _concerns(journal[each], named)]
            places[at] = min(inside, default=at)
            covered.update(inside)
    told = [
        ReportedEvent(at, places.get(at, at), event)
        for at, event in enumerate(journal)
        if at not in covered and (event.what != ACCOUNT or at in places)
    ]
    return sorted(told, key=lambda each: (each.place, each.number))


def event_lines(
    playthrough: Playthrough,
    happened: Sequence[Event],
    shown: Sequence[Event],
    since: int,
    until: int,
    dice: str = "dice",
) -> list[str]:
    """Put what is told into words, before it, if no sentence has them, the dice that were thrown meanwhile."""
    lines = list(_event_sentences(playthrough.state, shown))
    # What else is drawn may be for one side alone; its result is reported as far as all sides see it.
    fresh = [str(die.value) for die in playthrough.dice[since:until] if die.domain]
    if fresh and not accounts_in(happened):
        lines.insert(0, f"{dice}: {', '.join(fresh)}")
    return lines


def shortened_lines(lines: Sequence[str]) -> list[str]:
    """Leave out the middle of long news."""
    if len(lines) <= MANY:
        return list(lines)
    return [*lines[: MANY - 2], f".. and {len(lines) - MANY + 1} more (`log` tells all)", lines[-1]]


def may_read_account(account: ClosedAccount, reader: str) -> bool:
    """Return whether `reader` may read what a procedure tells."""
    return not account.private or account.side == reader


def _concerns(event: Event, pieces: Collection[int]) -> bool:
    """Return whether an event moves, removes or marks one of these pieces."""
    return event.what in ("move", "mark") and event.subject in pieces


def _event_sentences(state: State, events: Sequence[Event]) -> Iterator[str]:
    """Put events into words; steps of one piece in a row become one line."""
    steps: list[str] = []
    moving = -1
    for event in events:
        if event.what == "move" and event.old[0] >= 0 and event.new[0] >= 0 and event.old[0] != event.new[0]:
            if event.subject != moving:
                yield from _walked(state, moving, steps)
                moving, steps = event.subject, [state.board.names[event.old[0]]]
            steps.append(state.board.names[event.new[0]])
            continue
        line = _line(state, event)
        if line:
            yield from _walked(state, moving, steps)
            moving, steps = -1, []
            yield line
    yield from _walked(state, moving, steps)


def _walked(state: State, piece: int, steps: Sequence[str]) -> Iterator[str]:
    if steps:
        yield f"{state.sheets[piece].name} goes {' to '.join(steps)}"


def _line(state: State, event: Event) -> str:
    """Return one event in words; "" if it is not reported."""
    vocabulary = state.graph.vocabulary
    match event.what:
        case "account":
            return f"{event.new.sentence}{bracketed_sources(event.new.cites)}" if event.new.sentence else ""
        case "move":
            return _moved(state, event)
        case "flip":
            face = words.counter(event.new.counter, state.graph.counters)
            return f"{state.sheets[event.subject].name} is flipped: {face}"
        case "mark":
            flag = vocabulary.flags[event.key]
            if flag.owner not in vocabulary.kinds or not flag.marker or event.old == event.new:
                return ""
            name, said = state.sheets[event.subject].name, words.flag(flag.owner, flag.name, vocabulary)
            if event.new:
                return predicate_text(name, said)
            return (
                f"{name} no longer counts as one that {said}"
                if said.startswith("has ")
                else f"{name} is no longer {said}"
            )
        case "pair":
            left, right = (state.sheets[piece].name for piece in event.subject)
            link = words.readable_name(event.key)
            if vocabulary.relations[event.key].one == "":
                return ""
            return f"{left} {link} {right}" if event.new else f"{left} no longer {link} {right}"
        case "clock" if event.key == "turn":
            return f"-- turn {event.new}"
        case _:
            return ""


def _moved(state: State, event: Event) -> str:
    """Return who comes, goes, or changes his place within a hex."""
    sheet = state.sheets[event.subject]
    (old, _), (new, place) = event.old, event.new
    if new == GONE:
        return f"{sheet.name} is gone" + (f" from {state.board.names[old]}" if old >= 0 else "")
    if old < 0 <= new:
        return f"{sheet.name} comes to {state.board.names[new]}"
    if old == new:
        return f"{sheet.name} is now {words.readable_name(place)} in {state.board.names[new]}"
    return f"{sheet.name} leaves the map" if new < 0 else ""
