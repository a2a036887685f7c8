"""The information set of a side: a position without the secret records of the others.

In: a state and a side. Out: a copy without those records. A record is secret if its type says so, and its field
`by` names the one side that knows it.
"""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Record, Value

OWNER = "by"


def secret_types(rules: graph.Graph) -> tuple[str, ...]:
    """Return the types of records that are visible to their own side only."""
    return tuple(name for name, record in rules.vocabulary.records.items() if record.secret)


def _is_visible_to(state: State, side: str, record: Record) -> bool:
    """Return whether a record is visible to a side."""
    return not state.graph.vocabulary.records[record.type].secret or state.field(record, OWNER) == side


def visible_records(state: State, side: str, values: Iterable[Value]) -> tuple[Value, ...]:
    """Return the values of a collection that are visible to a side."""
    return tuple(value for value in values if not isinstance(value, Record) or _is_visible_to(state, side, value))


def view_of_side(state: State, side: str) -> State:
    """Return a copy of a state restricted to what is visible to a side."""
    state_copy = state.copy()
    state_copy.forget_answers()  # A copy shares them, and they may rest on what is left out here.
    for name in secret_types(state.graph):
        state_copy.records[name] = tuple(
            record for record in state.records[name] if _is_visible_to(state, side, record)
        )
    for key in _secret_tracks(state.graph):
        seen = {subject: _visible_part(state, side, value) for subject, value in state.tracks.get(key, {}).items()}
        state_copy.tracks[key] = {subject: value for subject, value in seen.items() if value is not None}
        if key in state.facts:
            state_copy.facts[key] = _visible_part(state, side, state.facts[key])
    return state_copy


def _secret_tracks(rules: graph.Graph) -> tuple[str, ...]:
    """Return the tracks whose values are records of secret types."""
    secret = frozenset(map(graph.RecordOf, secret_types(rules)))
    tracks = rules.vocabulary.tracks.items() if secret else ()
    return tuple(
        key
        for key, track in tracks
        if track.type in secret or (isinstance(track.type, graph.Many) and track.type.of in secret)
    )


def _visible_part(state: State, side: str, value: Value) -> Value:
    """Return the part of a track's value that is visible to a side."""
    if isinstance(value, tuple):
        return visible_records(state, side, value)
    return None if isinstance(value, Record) and not _is_visible_to(state, side, value) else value
