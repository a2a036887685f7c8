"""Checks every event of a game, and the position after it, against the declarations.

In: a graph and a playthrough. Out: sentences about violations. The checks are independent of the game: values of tracks
and fields have their declared types, pairs have the permitted number of partners, removed pieces stay removed, and
facts declared as `always` hold.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from runtime.answer.evaluator import Evaluator
from runtime.graph import nodes as graph
from runtime.play.playthrough import Playthrough
from runtime.state.position import GONE, State
from runtime.state.record import Event, Record, Value


class ExclusiveStatus(NamedTuple):
    """A law of play: no piece gets `status` while it has `other`, except if it has `unless`."""

    status: str
    other: str
    unless: str


def is_of_type(state: State, type_: graph.Type, value: Value) -> bool:
    """Return whether a value belongs to a type."""
    match type_:
        case graph.Number(low, high):
            known = isinstance(value, int | Fraction)
            return known and (low is None or low <= value) and (high is None or value <= high)
        case graph.YesNo():
            return isinstance(value, bool)
        case graph.Enum(name):
            enum = state.graph.vocabulary.enums.get(name)
            return enum is None or value in {member.name for member in enum.members}
        case graph.Hex():
            return isinstance(value, int) and 0 <= value < len(state.board.names)
        case graph.Piece(kinds):
            return isinstance(value, int) and 0 <= value < len(state.kind) and (not kinds or state.kind[value] in kinds)
        case graph.RecordOf(name):
            return isinstance(value, Record) and value.type == name
        case graph.Many(_, of):
            return all(is_of_type(state, of, member) for member in value)
        case _:
            return True


class Watch:
    """Checks one playthrough; `seen` is the number of journal events that are checked."""

    def __init__(self, rules: graph.Graph, evaluator: Evaluator, differences: tuple[ExclusiveStatus, ...] = ()) -> None:
        """Start a check; `differences` lists the statuses that exclude each other."""
        self.rules = rules
        self.evaluator = evaluator
        self.differences = differences
        self.seen = 0
        self.marks: dict[str, set[Value]] = {}
        self.before: dict[str, frozenset[Value]] = {}
        self.turn = 0

    def look(self, playthrough: Playthrough) -> Iterator[str]:
        """Yield the violations in the events since the last call, and in the position."""
        self.before = {status: frozenset(marked) for status, marked in self.marks.items()}
        for event in playthrough.journal[self.seen :]:
            yield from self.event(playthrough.state, event)
        self.seen = len(playthrough.journal)
        yield from self.position(playthrough.state)

    def event(self, state: State, event: Event) -> Iterator[str]:
        """Yield the violations of one event."""
        vocabulary = self.rules.vocabulary
        match event.kind:
            case "track" | "fact" if event.new is not None and event.key in vocabulary.tracks:
                if not is_of_type(state, vocabulary.tracks[event.key].type, event.new):
                    yield f"{event.key} of {piece_name(state, event.subject)} is set to {event.new!r}"
            case "amend":
                fields = {part.name: part.type for part in vocabulary.records[event.subject.type].fields}
                if event.new is not None and not is_of_type(state, fields[event.key], event.new):
                    yield f"{event.key} of a record {event.subject.type} is set to {event.new!r}"
            case "record" if event.new is not None:
                yield from wrong_fields(state, event.subject)
            case "move":
                if event.old[0] == GONE and event.new[0] != GONE:
                    yield f"{piece_name(state, event.subject)} is gone, and moves"
            case "pair" if event.new is not None:
                yield from crowded(state, event)
            case "clock" if event.key == "turn":
                if event.new < self.turn:
                    yield f"turn {event.new} comes after turn {self.turn}"
                self.turn = event.new
            case "mark":
                yield from self.marked(event)
            case _:
                pass

    def marked(self, event: Event) -> Iterator[str]:
        """Record the statuses, and yield a piece that gets a status which its other ones exclude."""
        if not event.new:
            self.marks.setdefault(event.key, set()).discard(event.subject)
            return
        for status, other, unless in self.differences:
            # A status that the same decision set does not count.
            marked = self.before.get(other, frozenset()) & self.marks.get(other, set()) - self.marks.get(unless, set())
            if event.key == status and event.subject in marked:
                yield f"somebody is marked {status} while {other}"
        self.marks.setdefault(event.key, set()).add(event.subject)

    def position(self, state: State) -> Iterator[str]:
        """Yield the violations of a position."""
        for fact in self.rules.always:
            if self.evaluator.evaluate(state, fact.condition, {}) is not True:
                yield f"{fact.label} does not hold"
        standing = {piece: hex_ for hex_, here in state.at.items() for piece in here}
        if standing != {piece: hex_ for piece, hex_ in enumerate(state.hex) if hex_ >= 0}:
            yield "the map and the pieces disagree on who stands where"


def wrong_fields(state: State, record: Record) -> Iterator[str]:
    """Yield the fields of a record whose values are missing or not of their types."""
    declared = state.graph.vocabulary.records[record.type]
    for part in declared.fields:
        value = record.fields.get(part.name)
        if value is None and part.name not in declared.optional:
            yield f"a record {record.type} has no {part.name}"
        if value is not None and not is_of_type(state, part.type, value):
            yield f"{part.name} of a record {record.type} is {value!r}"


def crowded(state: State, event: Event) -> Iterator[str]:
    """Yield the end of a pair that has more partners than the relation permits."""
    relation = state.graph.vocabulary.relations[event.key]
    left, right = event.subject
    if relation.one == "left" and len(state.partners(event.key, "left", right)) > 1:
        yield f"{piece_name(state, right)} has two partners in {event.key}"
    if relation.one == "right" and len(state.partners(event.key, "right", left)) > 1:
        yield f"{piece_name(state, left)} has two partners in {event.key}"


def piece_name(state: State, subject: Value) -> str:
    """Return the name of a piece on its sheet."""
    return state.sheets[subject].name if isinstance(subject, int) and 0 <= subject < len(state.sheets) else str(subject)
