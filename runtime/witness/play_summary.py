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
    """A changed slot: `kind` and `key` as in an event, and the name of its subject."""

    kind: str
    key: str
    subject: str


class SlotDifference(NamedTuple):
    """The former and the present value of a slot."""

    before: str
    after: str


Outcome = dict[StateSlot, SlotDifference]


def summarize_events(state: State, events: Iterable[Event]) -> Outcome:
    """Summarize events: a value that was restored has not changed."""
    found: dict[StateSlot, tuple[Event, Value]] = {}
    for event in events:
        if event.kind == "create":
            continue
        slot = StateSlot(event.kind, event.key, _subject(state, event))
        first = found[slot][0] if slot in found else event
        found[slot] = first, event.new
    return {
        slot: SlotDifference(_value_text(state, first, first.old), _value_text(state, first, new))
        for slot, (first, new) in found.items()
        if _value_text(state, first, first.old) != _value_text(state, first, new)
    }


def differing_things(first: Outcome, second: Outcome) -> list[StateSlot]:
    """Return the slots whose values differ between two games."""
    return [
        slot for slot in dict.fromkeys((*first, *second)) if _current_value(first, slot) != _current_value(second, slot)
    ]


def state_of(outcome: Outcome, other: Outcome, slots: Iterable[StateSlot]) -> str:
    """Format the values of the first game; an unchanged slot has the former value of both."""
    return " and ".join(outcome[slot].after if slot in outcome else other[slot].before for slot in slots)


def expressible_slots(slots: Iterable[StateSlot], rules: graph.Graph) -> list[StateSlot]:
    """Return the slots that a stack can express."""
    return [slot for slot in slots if _has_word(slot, rules)]


def _current_value(side: Outcome, slot: StateSlot) -> str | None:
    return side[slot].after if slot in side else None


def _has_word(slot: StateSlot, rules: graph.Graph) -> bool:
    vocabulary = rules.vocabulary
    match slot.kind:
        case "mark":
            return slot.key in vocabulary.flags
        case "track" | "fact":
            return slot.key in vocabulary.tracks
        case "pair":
            return slot.key in vocabulary.relations
        case "record":
            return slot.key in vocabulary.records
        case _:
            return True


def _subject(state: State, event: Event) -> str:
    """Return the name of the subject of an event."""
    match event.kind:
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
    match event.kind:
        case "move":
            return f"{subject} is {_location_text(state, value)}"
        case "flip":
            return f"{subject} shows {words.counter(value.counter, state.graph.counters)}"
        case "mark":
            flag_phrase = words.flag(event.key.partition(".")[0], name, vocabulary)
            return _status_text(subject, flag_phrase, on=bool(value))
        case "track" | "fact":
            track = vocabulary.tracks.get(event.key)
            initial = state.frame.initial.get(event.key)
            current_value = initial if value is None else value
            value_phrase = value_text(state, current_value, track.type) if track else untyped_text(state, current_value)
            owner_text = f" of {subject}" if subject else ""
            return f"{words.factor_name(name, vocabulary)}{owner_text} is {value_phrase}"
        case "pair":
            left, _, right = subject.partition(" ")
            link = f"{'' if value is not None else 'no longer '}{words.readable_name(event.key)}"
            return f"{left} {'is ' if event.key.endswith('ing') else ''}{link} {right}"
        case "record":
            return f"{subject} {'stands written' if value is not None else 'does not stand written'}"
        case "amend":
            owner_text = words.readable_name(event.subject.type)
            return f"{words.factor_name(name, vocabulary)} of {owner_text} is {untyped_text(state, value)}"
        case _:
            return f"{words.readable_name(event.key)} {untyped_text(state, value)}"


def _status_text(subject: str, phrase: str, *, on: bool) -> str:
    """State whether a status is set; the wording `has fired` contains its own verb."""
    if phrase.startswith("has "):
        return f"{subject} {phrase if on else phrase.replace('has ', 'has not ', 1)}"
    return f"{subject} is {'' if on else 'not '}{phrase}"


def _location_text(state: State, value: Value) -> str:
    place, within = value
    if place < 0:
        return "gone" if place == GONE else "off the map"
    return f"at {state.board.names[place]}{'' if within == OPEN else f', {words.readable_name(within)}'}"


def with_dice(act: str, ends: Sequence[str], dice_by_stack: Sequence[Sequence[str]]) -> tuple[str, str, str]:
    """Return what is done and how things stand after it in each stack, with the dice that fell there."""
    first_dice, second_dice = (", ".join(dice) for dice in dice_by_stack)
    if first_dice == second_dice:
        return f"{act}, dice {first_dice}" if first_dice else act, ends[0], ends[1]
    # One of the two throws other dice, or more of them.
    thrown = (f"with dice {dice}" if dice else "with no dice" for dice in (first_dice, second_dice))
    first, second = (f"{words} {dice}" for words, dice in zip(ends, thrown, strict=True))
    return act, first, second
