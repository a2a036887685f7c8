"""State changes, each as one event.

In: a state and a change. Out: the event. Every function here changes the state and returns the `Event` of the change.
`redo` and `undo` restore the new or old value of an event, so that undo is exact and a journal is a list of events.

`SETTERS` is the only code that writes to a state: for each kind of event, it sets a value.
"""

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

from runtime.graph.budget import passed_if_many
from runtime.graph.operators import plain
from runtime.state.constants import printed_values
from runtime.state.position import AWAY, GONE, LOST, NOBODY, OFF, State
from runtime.state.record import Event, Pairs, Record, Sheet, Value

OPEN = "open"
CLOCK_FIELDS = ("turn", "player", "phase")

new_tuple = tuple.__new__  # A named tuple's own constructor takes three times as long.


def redo(state: State, event: Event) -> None:
    """Apply an event."""
    SETTERS[event.kind](state, event.key, event.subject, event.new)
    state.forget_answers()


def undo(state: State, event: Event) -> None:
    """Revert an event. Events are reverted in the opposite order of their application."""
    state.forget_answers()
    SETTERS[event.kind](state, event.key, event.subject, event.old)


def _happen(state: State, kind: str, key: str, subject: Value, old: Value, new: Value) -> Event:
    if (touched := TOUCHED.get(kind)) is not None:
        passed_if_many(touched(state, key, subject, new))
    SETTERS[kind](state, key, subject, new)
    event = new_tuple(Event, (kind, key, subject, old, new))
    state.forget_answers()
    return event


def _normalized_value(value: Value) -> Value:
    """Return the stored form of a value: integers as int, ranges as tuples."""
    if value.__class__ is Fraction:  # An isinstance test takes five times as long.
        return plain(value)
    return tuple(value) if value.__class__ is range else value


# Changes that procedures make.


def set_track(state: State, key: str, subject: Value, value: Value) -> Event:
    """Set a track of a piece, hex or side, and return the event. None makes it absent."""
    old, new = state.tracks[key].get(subject), _normalized_value(value)
    if old == new or (old is None and new == state.frame.initial[key]):
        return Event("track", key, subject, old, new)  # An event without an effect, which needs no invalidation.
    return _happen(state, "track", key, subject, old, new)


def set_fact(state: State, key: str, value: Value) -> Event:
    """Set a track of the game or scenario, or a field of the clock, and return the event."""
    owner, _, field = key.partition(".")
    if owner == "game" and field in CLOCK_FIELDS:
        return _happen(state, "clock", field, None, getattr(state, field), value)
    return _happen(state, "fact", key, None, state.facts.get(key), _normalized_value(value))


def append(state: State, key: str, subject: Value, value: Value) -> Event:
    """Add to a track that is a list or a set; `subject` None for a track of the game or scenario."""
    old = state.fact(key) if subject is None else state.track(key, subject)
    new = with_member(state, key, old or (), value)
    return set_fact(state, key, new) if subject is None else set_track(state, key, subject, new)


def with_member(state: State, key: str, old: tuple[Value, ...], value: Value) -> tuple[Value, ...]:
    """Return a set with one more member, in canonical order, or a list with one more element at its end."""
    declared = state.graph.vocabulary.tracks.get(key)  # None: what a situation card says, a list
    if declared is not None and getattr(declared.type, "shape", "list") == "set":
        return state.frame.ordered((*old, _normalized_value(value)))
    return (*old, _normalized_value(value))


def mark(state: State, key: str, subject: Value) -> Event:
    """Set a status, `owner.name`, and return the event."""
    return _happen(state, "mark", key, subject, subject in state.marks[key], new=True)


def unmark(state: State, key: str, subject: Value) -> Event:
    """Clear a status, and return the event."""
    return _happen(state, "mark", key, subject, subject in state.marks[key], new=False)


def move(state: State, piece: int, to: int, place: str = OPEN) -> Event:
    """Move a piece into a hex, and return the event."""
    return _happen(state, "move", "", piece, (state.hex[piece], state.place[piece]), (to, place))


def remove(state: State, piece: int) -> Event:
    """Remove a piece from the game. Its pairs and marks are kept, as later questions may read them."""
    return move(state, piece, GONE)


def take_off_board(state: State, piece: int, *, as_lost: bool = False) -> Event:
    """Remove a piece from the board; it may return. Its pairs and marks are kept."""
    return move(state, piece, LOST if as_lost else AWAY)


def recover(state: State, piece: int, steps: int) -> Event:
    """Count steps that a piece had lost as recovered."""
    sheet = state.sheets[piece]
    recovered = sheet._replace(recovered_steps=sheet.recovered_steps + steps)
    return _happen(state, "recovery", "", piece, sheet, recovered)


def add_pieces(state: State, sheets: Iterable[Sheet]) -> None:
    """Add pieces off the board while a position is set up, which is no event: nothing undoes it."""
    _put_sheets(state, (*state.sheets, *sheets))
    state.forget_answers()


def create(state: State, sheet: Sheet) -> Event:
    """Add a piece off the board, and return the event, whose subject is its index."""
    return _happen(state, "create", sheet.kind, len(state.sheets), None, sheet)


def flip(state: State, piece: int, to: str) -> Event:
    """Flip a piece to its back or front face, which has to exist; the printed values of that face apply."""
    sheet = state.sheets[piece]
    return _happen(state, "flip", sheet.kind, piece, sheet, other_face(state, sheet, state.face(piece, to)))


def other_face(state: State, sheet: Sheet, name: str) -> Sheet:
    """Return the sheet of a piece that shows another face."""
    face = state.graph.counters[name]
    printed = printed_values(face, state.frame.rank)
    first = sheet.original_counter or sheet.counter
    return sheet._replace(
        counter=face.id,
        printed=printed,
        traits=frozenset(face.traits),
        original_counter=first if first != face.id else "",
    )


def relate(state: State, relation: str, left: int, right: int, payload: Value = None) -> Event:
    """Relate two pieces. Where the relation admits one partner, the caller unrelates the old one first."""
    pair = (left, right)
    return _happen(state, "pair", relation, pair, _payload(state, relation, pair), (_normalized_value(payload),))


def unrelate(state: State, relation: str, left: int, right: int) -> Event:
    """Remove a relation between two pieces, and return the event."""
    pair = (left, right)
    return _happen(state, "pair", relation, pair, _payload(state, relation, pair), None)


def _payload(state: State, relation: str, pair: tuple[int, int]) -> tuple[Value] | None:
    payloads = state.pairs[relation].payload
    return (payloads[pair],) if pair in payloads else None


def write(state: State, record: Record) -> Event:
    """Add a record to the records of its type, and return the event."""
    return _happen(state, "record", record.type, record, None, len(state.records[record.type]))


def remove_record(state: State, record: Record) -> Event:
    """Remove a record from the records of its type, and return the event."""
    line = state.records[record.type]
    old = next((position for position, other in enumerate(line) if other is record), None)
    return _happen(state, "record", record.type, record, old, None)


def amend(state: State, record: Record, name: str, value: Value) -> Event:
    """Set a field of a record, and return the event. None makes it absent."""
    old = (state.amended.get(record) or {}).get(name, record.fields.get(name))
    return _happen(state, "amend", name, record, old, _normalized_value(value))


def set_turn(state: State, turn: int) -> Event:
    """Set the clock's turn, and return the event."""
    return _happen(state, "clock", "turn", None, state.turn, turn)


def set_player(state: State, side: str) -> Event:
    """Set the side on move, and return the event."""
    return _happen(state, "clock", "player", None, state.player, side)


def set_phase(state: State, phase: str) -> Event:
    """Set the phase, and return the event."""
    return _happen(state, "clock", "phase", None, state.phase, phase)


def end_moment(state: State, moment: str, player: str) -> list[Event]:
    """Reset all statuses and tracks declared to last until the end of a moment; return one event for each reset.

    With a player, those of pieces are reset for that player's pieces only; those of hexes, sides and the game, which
    have no owner, always.
    """
    events: list[Event] = []
    for key in state.frame.moments.get(moment, ()):
        if key in state.facts:
            if state.facts[key] != state.frame.initial[key]:
                events.append(set_fact(state, key, state.frame.initial[key]))
        elif key in state.marks:
            marked = (s for s in sorted(state.marks[key]) if _falls(state, key, s, player))
            events += [unmark(state, key, subject) for subject in list(marked)]
        else:
            subjects = (s for s in sorted(state.tracks[key]) if _falls(state, key, s, player))
            events += [set_track(state, key, subject, None) for subject in list(subjects)]
    return events


def _falls(state: State, key: str, subject: Value, player: str) -> bool:
    """Return whether the value of a subject is reset at the end of this player's moment."""
    of_piece = key.split(".", maxsplit=1)[0] in state.frame.kinds
    return not (player and of_piece) or state.side[subject] == player


# The setters of events: assign a value, whatever the old one.


def _put_track(state: State, key: str, subject: Value, value: Value) -> None:
    if key not in state.own_tracks:
        state.own_tracks.add(key)
        state.tracks[key] = state.tracks[key].copy()
    # A value equal to the initial one is not stored, so that equal positions are equal states.
    if value is None or value == state.frame.initial[key]:
        state.tracks[key].pop(subject, None)
    else:
        state.tracks[key][subject] = value


def _put_fact(state: State, key: str, _: Value, value: Value) -> None:
    state.facts[key] = value


def _put_mark(state: State, key: str, subject: Value, value: Value) -> None:
    marked = state.marks[key]
    state.marks[key] = marked | {subject} if value else marked - {subject}


def _put_move(state: State, _: str, piece: int, value: tuple[int, str]) -> None:
    old, new = state.hex[piece], value[0]
    if old != new:
        if old >= 0:
            left = tuple(p for p in state.at[old] if p != piece)
            if left:
                state.at[old] = left
            else:
                del state.at[old]
        if new >= 0:
            state.at[new] = tuple(sorted((*state.at.get(new, NOBODY), piece)))
        if old < 0 or new < 0:
            state.field_of.clear()
    state.hex[piece], state.place[piece] = value


def _put_create(state: State, _: str, piece: int, sheet: Sheet | None) -> None:
    _put_sheets(state, state.sheets[:piece] if sheet is None else (*state.sheets[:piece], sheet))


def _put_sheets(state: State, sheets: tuple[Sheet, ...]) -> None:
    """Set the pieces: the first ones stay where they are, new ones are off the board."""
    count, new_count = len(sheets), max(0, len(sheets) - len(state.sheets))
    state.sheets = sheets
    state.kind = tuple([sheet.kind for sheet in sheets])
    state.side = tuple([sheet.side for sheet in sheets])
    state.traits = tuple([sheet.traits for sheet in sheets])
    state.printed = tuple([sheet.printed for sheet in sheets])
    of_kind: dict[str, list[int]] = {}
    for piece, kind in enumerate(state.kind):
        of_kind.setdefault(kind, []).append(piece)
    state.of_kind = {kind: tuple(pieces) for kind, pieces in of_kind.items()}
    state.hex = [*state.hex[:count], *[OFF] * new_count]
    state.place = [*state.place[:count], *[OPEN] * new_count]
    state.field_of.clear()


def _put_flip(state: State, _: str, piece: int, sheet: Sheet) -> None:
    state.sheets = (*state.sheets[:piece], sheet, *state.sheets[piece + 1 :])
    state.traits = (*state.traits[:piece], sheet.traits, *state.traits[piece + 1 :])
    state.printed = (*state.printed[:piece], sheet.printed, *state.printed[piece + 1 :])


def _put_pair(state: State, relation: str, pair: tuple[int, int], value: tuple[Value] | None) -> None:
    known = state.pairs[relation]
    left, right = pair
    rights = _partnered(known.rights, left, right, on=value is not None)
    lefts = _partnered(known.lefts, right, left, on=value is not None)
    payload = dict(known.payload)
    payload.pop(pair, None)
    if value is not None:
        payload[pair] = value[0]
    state.pairs[relation] = Pairs(rights, lefts, payload)


def _partnered(known: dict[int, tuple[int, ...]], piece: int, other: int, *, on: bool) -> dict[int, tuple[int, ...]]:
    """Return the partner map with one partner of a piece added or removed."""
    rest = tuple(each for each in known.get(piece, NOBODY) if each != other)
    partners = tuple(sorted((*rest, other))) if on else rest
    changed = {**known, piece: partners}
    if not partners:
        del changed[piece]
    return changed


def pairs_of(payload: dict[tuple[int, int], Value]) -> Pairs:
    """Return the pairs of a relation with their payloads, indexed from both ends."""
    rights: dict[int, tuple[int, ...]] = {}
    lefts: dict[int, tuple[int, ...]] = {}
    for left, right in sorted(payload):
        rights[left] = (*rights.get(left, NOBODY), right)
        lefts[right] = (*lefts.get(right, NOBODY), left)
    return Pairs(rights, lefts, payload)


def _put_record(state: State, type_: str, record: Record, value: int | None) -> None:
    line = [other for other in state.records[type_] if other is not record]
    if value is not None:
        line.insert(value, record)
    state.records[type_] = tuple(line)


def _put_amend(state: State, name: str, record: Record, value: Value) -> None:
    changed = {**state.amended.get(record, {}), name: value}
    amendments = {field: new for field, new in changed.items() if new != record.fields.get(field)}
    if amendments:
        state.amended[record] = amendments
    else:
        state.amended.pop(record, None)


def _put_clock(state: State, field: str, _: Value, value: Value) -> None:
    setattr(state, field, value)


def _put_nothing(state: State, _: str, __: Value, ___: Value) -> None:
    """Change nothing: an account is no part of the position."""


SETTERS: dict[str, Callable[[State, str, Value, Value], None]] = {
    "track": _put_track,
    "fact": _put_fact,
    "mark": _put_mark,
    "move": _put_move,
    "create": _put_create,
    "flip": _put_flip,
    "recovery": _put_flip,
    "pair": _put_pair,
    "record": _put_record,
    "amend": _put_amend,
    "clock": _put_clock,
    "account": _put_nothing,
}

# The values that an event refers to besides the value that it changes, by kind of event.
AffectedValuesFunction = Callable[[State, str, Value, Value], Collection[Value]]


def _members(_: State, __: str, ___: Value, value: Value) -> Collection[Value]:
    return value if value.__class__ is tuple else ()


TOUCHED: dict[str, AffectedValuesFunction] = {
    "track": _members,
    "fact": _members,
    "amend": _members,
    "mark": lambda state, key, _, __: state.marks[key],
    "move": lambda state, _, piece, new: state.at.get(new[0]) or state.at.get(state.hex[piece], NOBODY),
    "create": lambda state, _, __, ___: state.sheets,
    "flip": lambda state, _, __, ___: state.sheets,
    "pair": lambda state, relation, _, __: state.pairs[relation].payload,
    "record": lambda state, type_, _, __: state.records[type_],
}
