"""Show that two stacks record state differently: its initial value, its range, when it is reset.

The input is two graphs and labels of state (`track unit.spent`, `status unit.hidden`); the output is for each a play:
in a position of an example the track or status is read, set, or set and reset, in both stacks.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from runtime.answer.expressions import everything
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.members import members_of
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.example_places import ExamplePositions, Place, PlayDifference
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.snapshot import position_of

LASTING = ("", "game")  # Until nothing, or for good: no moment of the clock ends it.
MARKED = True


class NotePlays:
    """Positions in which tracks and statuses are read, set and reset."""

    def __init__(self, places: ExamplePositions) -> None:
        """Store two stacks and the positions of their examples."""
        self.graphs, self.places = places.graphs, places.all_places

    def find(self, label: str) -> PlayDifference | None:
        """Return a play that shows state recorded differently; None if none is found."""
        sort, _, key = label.partition(" ")
        if sort == "relation":
            return None
        tries = self._track_differences(key) if sort == "track" else self._status_differences(key)
        with suppress(*NO_ANSWER):
            return next(tries, None)
        return None

    def _track_differences(self, key: str) -> Iterator[PlayDifference]:
        first, second = (stack.vocabulary.tracks[key] for stack in self.graphs)
        if first.initial != second.initial:
            yield from self._differences_after(key, None, "")
        value = _only_of_one(first.type, second.type)
        if value is not None:
            for place, states, subject in self._subjects(key):
                range_checks = [_is_in_range(track.type, value) for track in (first, second)]
                owner_phrase = f" of {_subject_name(states[0], key, subject)}" if subject is not None else ""
                texts = [
                    f"{_note_name(self.graphs[0], key)}{owner_phrase} is {value_text(states[0], value, first.type)}"
                    if each
                    else "it cannot be set so: play stops"
                    for each in range_checks
                ]
                act = (
                    f"set {_note_name(self.graphs[0], key)}{owner_phrase} to {value_text(states[0], value, first.type)}"
                )
                yield PlayDifference(place.example, place.which, act, texts[0], texts[1], place.positions[place.which])
        for moment in dict.fromkeys((first.until, second.until)):
            if moment not in LASTING and first.until != second.until:
                yield from self._differences_after(key, _other_value(self.graphs[0], key), moment)

    def _status_differences(self, key: str) -> Iterator[PlayDifference]:
        for moment in dict.fromkeys(stack.vocabulary.flags[key].until for stack in self.graphs):
            if moment not in LASTING:
                yield from self._differences_after(key, MARKED, moment)

    def _differences_after(self, key: str, value: Value, moment: str) -> Iterator[PlayDifference]:
        """Set a value, end a moment, and read it; `value` None: only read it."""
        for place, states, subject in self._subjects(key):
            for state in states:
                if value is not None:
                    _set(state, key, subject, value)
            position = position_of(states[place.which], replace(place.positions[place.which], name="witness"))
            texts = []
            for state in states:
                if moment:
                    change.end_moment(state, moment, state.player)
                texts.append(_note_text(state, key, subject))
            if texts[0] != texts[1]:
                act = f"end of {words.readable_name(moment)}" if moment else "nothing has been set yet"
                yield PlayDifference(place.example, place.which, act, texts[0], texts[1], position)

    def _subjects(self, key: str) -> Iterator[tuple[Place, list[State], Value]]:
        """Set up positions with an owner of the state, with its side on move."""
        owner = key.partition(".")[0]
        for place in self.places:
            states = [from_position(s, p) for s, p in zip(self.graphs, place.positions, strict=True)]
            first = states[0]
            if owner in ("game", "scenario"):
                subjects: tuple[Value, ...] = (None,)
            elif owner == "hex":
                subjects = tuple(range(first.board.size))
            elif owner == "side":
                subjects = tuple(everything(first, graph.Enum("side")))
            else:
                subjects = first.in_play((owner,))
            if not subjects:
                continue
            of_piece = owner in first.frame.kinds
            for state in states:
                state.player = first.side[subjects[0]] if of_piece else state.player
            yield place, states, subjects[0]


def _set(state: State, key: str, subject: Value, value: Value) -> None:
    if key in state.marks:
        change.mark(state, key, subject)
    elif subject is None:
        change.set_fact(state, key, value)
    else:
        change.set_track(state, key, subject, value)


def _note_text(state: State, key: str, subject: Value) -> str:
    """Format the value of a track or status."""
    owner, _, name = key.partition(".")
    if key in state.marks:
        flag_phrase = words.flag(owner, name, state.graph.vocabulary)
        on = state.is_marked(key, subject)
        return f"{_subject_name(state, key, subject)} is {'' if on else 'not '}{flag_phrase.removeprefix('has ')}"
    track = state.frame.tracks[key]
    value = state.fact(key) if subject is None else state.track(key, subject)
    owner_phrase = f" of {_subject_name(state, key, subject)}" if subject is not None else ""
    return f"{words.factor_name(name, state.graph.vocabulary)}{owner_phrase} is {value_text(state, value, track.type)}"


def _subject_name(state: State, key: str, subject: Value) -> str:
    owner = key.partition(".")[0]
    if owner in state.frame.kinds:
        return state.sheets[subject].name
    return state.board.names[subject] if owner == "hex" else words.readable_name(str(subject))


def _note_name(rules: graph.Graph, key: str) -> str:
    return words.factor_name(key.partition(".")[2], rules.vocabulary)


def _is_in_range(type_: graph.Type, value: Value) -> bool:
    """Return whether a number is within a type."""
    return not isinstance(type_, graph.Number) or type_.contains(value)


def _only_of_one(first: graph.Type, second: graph.Type) -> Value:
    """Return a number in one of two ranges only; None if there is none."""
    if not (isinstance(first, graph.Number) and isinstance(second, graph.Number)):
        return None
    ends = [end for type_ in (first, second) for end in (type_.low, type_.high) if end is not None]
    return next((end for end in ends if _is_in_range(first, end) != _is_in_range(second, end)), None)


def _other_value(rules: graph.Graph, key: str) -> Value:
    """Return a value other than the initial one of a track; None if its values cannot be enumerated."""
    track = rules.vocabulary.tracks[key]
    first = track.initial
    match track.type:
        case graph.Number(low, high):
            begins = int(first.value) if isinstance(first, graph.Num) else None
            values = range(low or 0, (high if high is not None else (low or 0) + 2) + 1)
            return next((value for value in values if value != begins), None)
        case graph.YesNo():
            return not (isinstance(first, graph.Truth) and first.value)
        case graph.Enum(name):
            begins_with = first.name if isinstance(first, graph.Member) else None
            return next((member for member in members_of(rules.vocabulary, name) if member != begins_with), None)
        case _:
            return None
