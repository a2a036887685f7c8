"""Execution of primitive effects: each appends its events to the journal.

In: the machine, a playthrough, the names of the running procedure, and an effect whose operands are values. Out:
events, and the name of what is created.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, assert_never

from runtime.graph import nodes as graph
from runtime.graph.effects.primitives import (
    AddMember,
    CreatePiece,
    FlipPiece,
    MovePiece,
    PrimitiveEffect,
    RelatePieces,
    RemovePiece,
    SetStatus,
    SetValue,
    StrikeRecord,
    WriteRecord,
    stored_value,
)
from runtime.play.playthrough import Names, Playthrough
from runtime.state import change
from runtime.state.default_counter import default_counter
from runtime.state.position import GONE
from runtime.state.ranges import excluded_number, is_ranged, range_of
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.play.machine import Machine

# The limit of members of a collection, records of a type, pairs of a relation, and pieces; games use less than a tenth.
MOST_KEPT = 4_000

Act = Callable[["Machine", Playthrough, Names, Any], None]


def apply_effect(machine: "Machine", playthrough: Playthrough, names: Names, effect: PrimitiveEffect[Value]) -> None:
    """Apply an effect; a number that it stores must be in its range."""
    if (stored := stored_value(effect, machine.graph.vocabulary)) is not None:
        _check_range(machine, playthrough, *stored)
    ACTS[effect.__class__](machine, playthrough, names, effect)


def _check_range(machine: "Machine", playthrough: Playthrough, name: str, declared: graph.Type, value: Value) -> None:
    """Raise where a number is outside of its declared range. Records check their own fields when they are made."""
    number = excluded_number(declared, value) if is_ranged(declared) else None
    if number is not None:
        message = f"`{name}` is set to {number}, but is declared {range_of(declared)}"
        raise machine.broken_rules(playthrough, message, out_of_range=name)


def _set_value(_: "Machine", playthrough: Playthrough, __: Names, effect: SetValue[Value]) -> None:
    state, key, value = playthrough.state, f"{effect.owner}.{effect.name}", effect.value
    subject: Value = effect.base
    if effect.in_record:
        playthrough.record_event(change.amend(state, subject, effect.name, value))
    elif subject is None:
        playthrough.record_event(change.set_fact(state, key, value))
    elif state.track(key, subject) != value:  # Much is set back every turn that never was anything else.
        playthrough.record_event(change.set_track(state, key, subject, value))


def _check_size(machine: "Machine", playthrough: Playthrough, size: int, noun: str) -> None:
    """Raise where a collection of the position would exceed `MOST_KEPT`, as each change of it takes linear time."""
    if size >= MOST_KEPT:
        raise machine.broken_rules(playthrough, f"more than {MOST_KEPT:,} {noun} would be kept")


def _add_member(machine: "Machine", playthrough: Playthrough, _: Names, effect: AddMember[Value]) -> None:
    state, key = playthrough.state, f"{effect.owner}.{effect.name}"
    subject: Value = effect.base
    if effect.in_record:
        members = state.field(subject, effect.name) or ()
    else:
        members = (state.fact(key) if subject is None else state.track(key, subject)) or ()
    _check_size(machine, playthrough, len(members), f"members of `{key}`")
    if effect.in_record:
        new_members = state.frame.ordered((*members, effect.value))
        playthrough.record_event(change.amend(state, subject, effect.name, new_members))
    else:
        playthrough.record_event(change.append(state, key, subject, effect.value))


def _set_status(_: "Machine", playthrough: Playthrough, __: Names, effect: SetStatus[Value]) -> None:
    state, key = playthrough.state, f"{effect.owner}.{effect.name}"
    if state.is_marked(key, effect.subject) != effect.on:
        set_it = change.mark if effect.on else change.unmark
        playthrough.record_event(set_it(state, key, effect.subject))


def _move_piece(machine: "Machine", playthrough: Playthrough, _: Names, effect: MovePiece[Value]) -> None:
    state = playthrough.state
    if state.hex[effect.piece] == GONE:
        raise machine.broken_rules(playthrough, f"{state.sheets[effect.piece].name} is moved although it is gone")
    playthrough.record_event(change.move(state, effect.piece, effect.to, effect.place or change.OPEN))


def _flip_piece(machine: "Machine", playthrough: Playthrough, _: Names, effect: FlipPiece[Value]) -> None:
    state, piece, face = playthrough.state, effect.piece, effect.face
    if not state.face(piece, face):
        raise machine.broken_rules(playthrough, f"{state.sheets[piece].name} is turned to its {face} and has none")
    if state.hex[piece] != GONE:
        playthrough.record_event(change.flip(state, piece, face))


def _remove_piece(_: "Machine", playthrough: Playthrough, __: Names, effect: RemovePiece[Value]) -> None:
    state, piece = playthrough.state, effect.piece
    if state.hex[piece] != GONE:
        removal = (
            change.remove(state, piece)
            if effect.for_good
            else change.take_off_board(state, piece, as_lost=effect.as_lost)
        )
        playthrough.record_event(removal)


def _recovering(act: Act) -> Act:
    """Return an effect on a piece that also counts the steps that the piece gets back."""

    def act_and_count(machine: "Machine", playthrough: Playthrough, names: Names, effect: Any) -> None:
        state, piece = playthrough.state, effect.piece
        steps = state.steps_left(piece)
        act(machine, playthrough, names, effect)
        if (gained := state.steps_left(piece) - steps) > 0:
            playthrough.record_event(change.recover(state, piece, gained))

    return act_and_count


def _create_piece(machine: "Machine", playthrough: Playthrough, names: Names, effect: CreatePiece[Value]) -> None:
    state = playthrough.state
    _check_size(machine, playthrough, len(state.sheets), "pieces")
    side = "" if effect.owner is None else effect.owner
    creation = change.create(state, default_counter(state, effect.kind, side, effect.counter))
    playthrough.record_event(creation)
    playthrough.record_event(change.move(state, creation.subject, effect.at))
    if effect.name:
        names[effect.name] = creation.subject


def _relate_pieces(machine: "Machine", playthrough: Playthrough, _: Names, effect: RelatePieces[Value]) -> None:
    state, name, left, right = playthrough.state, effect.relation, effect.left, effect.right
    if not effect.on:
        if state.related(name, left, right):
            playthrough.record_event(change.unrelate(state, name, left, right))
        return
    _check_size(machine, playthrough, len(state.pairs[name].payload), f"pairs of `{name}`")
    relation = machine.graph.vocabulary.relations[name]
    match relation.one:
        case "left":
            old_pairs = [(other, right) for other in state.partners(name, "left", right) if other != left]
        case "right":
            old_pairs = [(left, other) for other in state.partners(name, "right", left) if other != right]
        case "":
            old_pairs = []
        case _:
            assert_never(relation.one)
    for piece, other in old_pairs:
        playthrough.record_event(change.unrelate(state, name, piece, other))
    playthrough.record_event(change.relate(state, name, left, right, effect.payload))


def _write_record(machine: "Machine", playthrough: Playthrough, names: Names, effect: WriteRecord[Value]) -> None:
    record = effect.record
    _check_size(machine, playthrough, len(playthrough.state.records[record.type]), f"records `{record.type}`")
    playthrough.record_event(change.write(playthrough.state, record))
    if effect.name:
        names[effect.name] = record


def _strike_record(_: "Machine", playthrough: Playthrough, __: Names, effect: StrikeRecord[Value]) -> None:
    record = effect.record
    if record in playthrough.state.records[record.type]:
        playthrough.record_event(change.remove_record(playthrough.state, record))


ACTS: dict[type, Act] = {
    SetValue: _set_value, AddMember: _add_member, SetStatus: _set_status, MovePiece: _recovering(_move_piece),
    FlipPiece: _recovering(_flip_piece), RemovePiece: _recovering(_remove_piece), CreatePiece: _create_piece,
    RelatePieces: _relate_pieces, WriteRecord: _write_record, StrikeRecord: _strike_record,
}  # fmt: skip
