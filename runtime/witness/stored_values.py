"""Where a candidate holds values: arguments of the question, facts, tracks, fields of records and of pieces.

The input is an expression that reads a value, and the names around it; the output is a `StoredValue`: the type, what is
written there, and how something else is written.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.expressions import Environment
from runtime.graph import nodes as graph
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.pool import Target, literal_text
from runtime.witness.translated_position import fact_type

if TYPE_CHECKING:
    from runtime.witness.repair import Repairer

AREA = graph.Many("set", graph.Hex())
WHEN = graph.Number(0, None, "")
CLOCK_TYPES: dict[str, graph.Type] = {
    "turn": graph.Number(1, None, ""),
    "player": graph.Enum("side"),
    "phase": graph.Enum("phase"),
}


class StoredValue(NamedTuple):
    """A value of a candidate; `write` returns the candidate with another one, with none for None."""

    type: graph.Type
    written: graph.Expr | None
    write: Callable[[graph.Expr | None], Candidate | None]


def stored_value(repairer: "Repairer", expr: graph.Expr, names: Environment) -> StoredValue | None:
    """Return where the value of an expression stands; None for what is computed."""
    match expr:
        case graph.Var(name) if name.startswith("@"):
            return _argument(repairer, int(name[1:]))
        case graph.GameTrack("game", name) if name in CLOCK_TYPES:
            return StoredValue(CLOCK_TYPES[name], None, partial(_with_clock, repairer.candidate, name))
        case graph.GameTrack(owner, name):
            return _fact(repairer, f"{owner}.{name}")
        case graph.Get(base, what, owner, name):
            subject = repairer.instance.value(base, names)
            return None if subject is None else _field(repairer, what, owner, name, subject)
        case _:
            return None


def _field(repairer: "Repairer", what: str, owner: str, name: str, subject: Value) -> StoredValue | None:
    match what:
        case "track":
            return track_of(repairer, repairer.stack.vocabulary.tracks[f"{owner}.{name}"], subject)
        case "record":
            return _record_field(repairer, owner, name)
        case "given":
            return _given(repairer, name, subject)
        case _:
            return None


def track_of(repairer: "Repairer", track: graph.Track, subject: Value) -> StoredValue | None:
    """Return the track of a subject: a side, a hex or a piece; of the game and the scenario it has none."""
    candidate, name = repairer.candidate, track.name
    if track.owner in {"game", "scenario", "side"}:
        return _fact(repairer, f"{subject if track.owner == 'side' else track.owner}.{name}")
    if track.owner == "hex":
        space = repairer.state.board.names[subject]
        notes = {note[:2]: note[2] for note in candidate.position.hex_tracks}
        write = partial(changes.with_hex_note, candidate, space, name)
        return StoredValue(track.type, notes.get((space, name)), write)
    piece = repairer.piece(subject)
    return StoredValue(
        track.type,
        dict(piece.tracks).get(name),
        lambda value: changes.with_piece_as(candidate, changes.with_note(piece, name, value)),
    )


def _argument(repairer: "Repairer", index: int) -> StoredValue:
    def write(value: graph.Expr | None) -> Candidate | None:
        return None if value is None else changes.with_argument(repairer.candidate, index, value)

    return StoredValue(repairer.types[index], repairer.candidate.arguments[index], write)


def _with_clock(candidate: Candidate, field: str, value: graph.Expr | None) -> Candidate | None:
    match value:
        case graph.Num(turn):
            return changes.with_clock(candidate, field, int(turn))
        case graph.Member(_, word):
            return changes.with_clock(candidate, field, word)
        case _:
            return None


def _fact(repairer: "Repairer", key: str) -> StoredValue | None:
    type_, track = fact_type(key, repairer.stack), repairer.stack.vocabulary.tracks.get(key)
    if type_ is None:
        return None
    written = dict(repairer.candidate.position.facts).get(key, None if track is None else track.initial)
    return StoredValue(type_, written, partial(changes.with_fact, repairer.candidate, key))


def _record_field(repairer: "Repairer", record: str, name: str) -> StoredValue | None:
    """Return a field of the first record of this type that is an argument of the question."""
    candidate = repairer.candidate
    records = [each if isinstance(each, graph.New) and each.record == record else None for each in candidate.arguments]
    argument = next(filter(None, records), None)
    if argument is None:
        return None
    types = {field.name: field.type for field in repairer.stack.vocabulary.records[record].fields}

    def write(value: graph.Expr | None) -> Candidate:
        others = tuple(field for field in argument.fields if field[0] != name)
        fields = others if value is None else (*others, (name, value))
        return changes.with_argument(candidate, records.index(argument), graph.New(record, fields))

    return StoredValue(types[name], dict(argument.fields).get(name), write)


def _given(repairer: "Repairer", name: str, subject: Value) -> StoredValue | None:
    """Return the hex, the area or the turn of arrival of a piece."""
    if name not in {"hex", "area", "arrives"}:
        return None
    candidate, piece = repairer.candidate, repairer.piece(subject)
    match name:
        case "hex":

            def move(value: graph.Expr | None) -> Candidate:
                space = value.name if isinstance(value, graph.Spot) else ""
                return changes.with_piece_as(candidate, replace(piece, at=space))

            return StoredValue(graph.Hex(), None, move)
        case "area":
            return StoredValue(
                AREA, piece.area, lambda value: changes.with_piece_as(candidate, replace(piece, area=value))
            )
        case _:
            return StoredValue(
                WHEN, piece.arrives, lambda value: changes.with_piece_as(candidate, replace(piece, arrives=value))
            )


def choose_value(repairer: "Repairer", type_: graph.Type, target: Target) -> graph.Expr | None:
    """Choose a value of a type that meets the target."""
    if isinstance(type_, (graph.Number, graph.Scale)) and target.op not in {"present", "absent"}:
        steps = {"=": (0,), "!=": (-1, 1), "<": (-1, -1, -3), "<=": (0, -1), ">": (1, 1, 3), ">=": (0, 1)}
        bound = Fraction(target.bound) + repairer.chance.pick(steps[target.op])
        if isinstance(type_, graph.Number) and type_.high is not None and type_.low is not None:
            bound = max(Fraction(type_.low), min(Fraction(type_.high), bound))
        return literal_text(bound if bound.denominator > 1 else int(bound), type_, repairer.state)
    if target.op == "=":
        return literal_text(target.bound, type_, repairer.state)
    return repairer.materials.make_value(type_, repairer.candidate)
