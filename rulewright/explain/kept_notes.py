"""The notes that the game and its sides keep, as names and values: stores, scores, discards, a hand of cards.

In: a position as its reader may know it. Out: names and values by owner. Numbers, places on a scale and members of a
list that last until the end of the game are always listed; other notes where they differ from their first value. Notes
of a scenario are on its card; those of spaces and pieces stand with these (`piece_details.py`).
"""

from collections.abc import Iterator, Mapping

from runtime.answer.value_text import value_as_name, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.position import State
from runtime.state.record import Record, Value

# A longer set is truncated, with the number of the rest.
MOST_MEMBERS = 12


@frozen_dataclass
class KeptNote:
    """A note by its name, with its value as text."""

    name: str
    value: str


def kept_notes(state: State) -> Iterator[tuple[str, tuple[KeptNote, ...]]]:
    """Yield the notes of the game, with the owner "", and those of each side in play, with its title."""
    vocabulary = state.graph.vocabulary
    if notes := (*_notes_of(state, "game", None),):
        yield "", notes
    card = state.graph.scenario
    sides = [*(card.order if card else ()), *sorted({*state.side, state.player} - {""})]
    for side in dict.fromkeys(sides):
        if notes := (*_notes_of(state, "side", side), *_secrets_of(state, side)):
            yield words.member("side", side, vocabulary), notes


def notes_of_space(state: State, space: int) -> tuple[KeptNote, ...]:
    """Return the notes of a space that differ from their first value."""
    return tuple(_notes_of(state, "hex", space))


def notes_of_piece(state: State, piece: int) -> tuple[KeptNote, ...]:
    """Return the notes of a piece that differ from their first value, and lasting ones whose first value is one.

    A heading of 1 or a loaded gun is one, a loss of 0 is none.
    """
    return tuple(_notes_of(state, state.sheets[piece].kind, piece))


def _notes_of(state: State, owner: str, subject: Value | None) -> Iterator[KeptNote]:
    vocabulary = state.graph.vocabulary
    for key, track in vocabulary.tracks.items():
        if track.owner != owner:
            continue
        initial = state.frame.initial[key]
        value = state.facts[key] if owner == "game" else state.tracks[key].get(subject, initial)
        is_single = isinstance(track.type, graph.Number | graph.Scale | graph.Enum)
        is_kept = is_single and track.lasts and (owner in ("game", "side") or (owner != "hex" and bool(initial)))
        if value is not None and (is_kept or value != initial) and not _is_of_records(track.type):
            name = words.factor_name(track.name, vocabulary)
            yield KeptNote(name, _value_text(state, value, track.type, name))


def _is_of_records(type_: graph.Type) -> bool:
    """Return whether a note lists records, as of the steps of a march, which are no sight for players."""
    return isinstance(type_.of if isinstance(type_, graph.Many) else type_, graph.RecordOf)


def _secrets_of(state: State, side: str) -> Iterator[KeptNote]:
    """Yield the secret records of a side that the reader of the position may know."""
    vocabulary = state.graph.vocabulary
    for name, record in vocabulary.records.items():
        known = [each for each in state.records[name] if record.secret and state.field(each, "by") == side]
        if known:
            types = {field.name: field.type for field in record.fields if field.name != "by"}
            contents = "; ".join(_fields_text(state, each, types) for each in known)
            yield KeptNote(words.factor_name(name, vocabulary), contents)


def _fields_text(state: State, record: Record, types: Mapping[str, graph.Type]) -> str:
    """Return the fields of a record as text; the value alone if it is the only one."""
    values = {name: state.field(record, name) for name in types if name in record.fields}
    texts = {name: value_text(state, value, types[name]) for name, value in values.items()}
    return next(iter(texts.values())) if len(texts) == 1 else ", ".join(
        f"{words.readable_name(name)} {text}" for name, text in texts.items()
    )  # fmt: skip


def _value_text(state: State, value: Value, type_: graph.Type, name: str) -> str:
    if isinstance(type_, graph.Number) and words.measure_name(type_.measure, state.graph.vocabulary) == name:
        return words.number(value)  # Not "herds 3 herds".
    if isinstance(type_, graph.Many) and len(value) > MOST_MEMBERS:
        members = [value_as_name(state, each, type_.of) for each in list(value)[:MOST_MEMBERS]]
        return f"{', '.join(members)} and {len(value) - MOST_MEMBERS} more"
    return value_text(state, value, type_)
