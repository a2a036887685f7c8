"""Summarize what a segment of play has changed, by slot, so that two games can be compared.

The input is a state after the segment and its events; the output is for each changed slot its former and present value
as text. Slots are identified by names, never by indices of one game.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from runtime.answer.value_text import untyped_text, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.state.change import OPEN
from runtime.state.position import GONE, State
from runtime.state.record import Event, Value


class StateSlot(NamedTuple):
    """A changed slot: `what` and `key` as in an event, and the name of its subject."""

    what: str
    key: str
    subject: str


class SlotDifference(NamedTuple):
    """The former and the present value of a slot."""

    before: str
    now: str


Outcome = dict[StateSlot, SlotDifference]


def summarize_events(state: State, events: Iterable[Event]) -> Outcome:
    """Summarize events: a value that was restored has not changed."""
    found: dict[StateSlot, tuple[Event, Value]] = {}
    for event in events:
        if event.what == "create":
            continue
        thing = StateSlot(event.what, event.key, _subject(state, event))
        first = found[thing][0] if thing in found else event
        found[thing] = first, event.new
    return {
        thing: SlotDifference(_value_text(state, first, first.old), _value_text(state, first, new))
        for thing, (first, new) in found.items()
        if _value_text(state, first, first.old) != _value_text(state, first, new)
    }


def differing_things(here: Outcome, there: Outcome) -> list[StateSlot]:
    """Return the slots whose values differ between two games."""
    return [
        thing for thing in dict.fromkeys((*here, *there)) if _current_value(here, thing) != _current_value(there, thing)
    ]


def state_of(mine: Outcome, other: Outcome, things: Iterable[StateSlot]) -> str:
    """Format the values of the first game; an unchanged slot has the former value of both."""
    return " and ".join(mine[thing].now if thing in mine else other[thing].before for thing in things)


def words_for(things: Iterable[StateSlot], rules: graph.Graph) -> list[StateSlot]:
    """Return the slots that a stack can express."""
    return [thing for thing in things if _has_word(thing, rules)]


def _current_value(side: Outcome, thing: StateSlot) -> str | None:
    return side[thing].now if thing in side else None


def _has_word(thing: StateSlot, rules: graph.Graph) -> bool:
    vocabulary = rules.vocabulary
    match thing.what:
        case "mark":
            return thing.key in vocabulary.flags
        case "track" | "fact":
            return thing.key in vocabulary.tracks
        case "pair":
            return thing.key in vocabulary.relations
        case "record":
            return thing.key in vocabulary.records
        case _:
            return True


def _subject(state: State, event: Event) -> str:
    """Return the name of the subject of an event."""
    match event.what:
        case "move" | "flip":
            return state.sheets[event.subject].name
        case "mark" | "track":
            return _owner(state, event.key, event.subject)
        case "pair":
            return " ".join(state.sheets[piece].name for piece in event.subject)
        case "record" | "amend":
            return untyped_text(state, event.subject)
        case _:
            return ""


def _owner(state: State, key: str, subject: Value) -> str:
    owner = key.partition(".")[0]
    if owner in state.graph.vocabulary.kinds:
        return state.sheets[subject].name
    return state.board.names[subject] if owner == "hex" else words.readable_name(str(subject))


def _value_text(state: State, event: Event, value: Value) -> str:
    """Format the value of a slot."""
    vocabulary = state.graph.vocabulary
    subject, name = _subject(state, event), event.key.rpartition(".")[2]
    match event.what:
        case "move":
            return f"{subject} is {_where(state, value)}"
        case "flip":
            return f"{subject} shows {words.counter(value.counter, state.graph.counters)}"
        case "mark":
            said = words.flag(event.key.partition(".")[0], name, vocabulary)
            return _stated(subject, said, on=bool(value))
        case "track" | "fact":
            track = vocabulary.tracks.get(event.key)
            initial = state.frame.initial.get(event.key)
            stands = initial if value is None else value
            shown = value_text(state, stands, track.type) if track else untyped_text(state, stands)
            of = f" of {subject}" if subject else ""
            return f"{words.factor_name(name, vocabulary)}{of} is {shown}"
        case "pair":
            left, _, right = subject.partition(" ")
            link = f"{'' if value is not None else 'no longer '}{words.readable_name(event.key)}"
            return f"{left} {'is ' if event.key.endswith('ing') else ''}{link} {right}"
        case "record":
            return f"{subject} {'stands written' if value is not None else 'does not stand written'}"
        case "amend":
            of = words.readable_name(event.subject.type)
            return f"{words.factor_name(name, vocabulary)} of {of} is {untyped_text(state, value)}"
        case _:
            return f"{words.readable_name(event.key)} {untyped_text(state, value)}"


def _stated(subject: str, said: str, *, on: bool) -> str:
    """State whether a status is set; the wording `has fired` contains its own verb."""
    if said.startswith("has "):
        return f"{subject} {said if on else said.replace('has ', 'has not ', 1)}"
    return f"{subject} is {'' if on else 'not '}{said}"


def _where(state: State, value: Value) -> str:
    place, within = value
    if place < 0:
        return "gone" if place == GONE else "off the map"
    return f"at {state.board.names[place]}{'' if within == OPEN else f', {words.readable_name(within)}'}"


def with_dice(act: str, ends: Sequence[str], fell: Sequence[Sequence[str]]) -> tuple[str, str, str]:
    """Return what is done and how things stand after it in each stack, with the dice that fell there."""
    here, there = (", ".join(dice) for dice in fell)
    if here == there:
        return f"{act}, dice {here}" if here else act, ends[0], ends[1]
    # One of the two throws other dice, or more of them.
    thrown = (f"with dice {dice}" if dice else "with no dice" for dice in (here, there))
    first, second = (f"{words} {dice}" for words, dice in zip(ends, thrown, strict=True))
    return act, first, second
