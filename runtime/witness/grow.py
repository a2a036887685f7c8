"""Propose one change to a setting that gives a collection one member more, or one less.

In: the expression of a collection. Out: a changed setting, or None for collections that are what they are
(neighbors, the members of an enumeration).
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from runtime.answer.expressions import Delayed, Environment
from runtime.graph import nodes as graph
from runtime.state.record import Record, Value
from runtime.witness import setting as changes
from runtime.witness.materials import MOST_PIECES
from runtime.witness.setting import Setting

AREA = graph.Many("set", graph.Hex())

if TYPE_CHECKING:
    from runtime.witness.mend import Mender


def add_member(mender: "Mender", source: graph.Expr, names: Environment) -> Setting | None:
    """Let a collection have one member more."""
    match source:
        case graph.Var(name) if isinstance(delayed := names.get(name), Delayed):
            return add_member(mender, delayed.expr, delayed.names)
        case graph.Pieces(kinds, at):
            return _add_piece(mender, kinds, None if at is None else mender.aim.value(at, names))
        case graph.Op("reserve", (graph.Member(_, kind),)):
            return _add_reserve(mender, kind)
        case graph.Op("+", (left, right)):
            return add_member(mender, left if mender.chance.once_in(2) else right, names)
        case graph.Fold("gather" | "trailing" | "leading", _, inner):
            return add_member(mender, inner, names)
        case graph.Get(base, "given", _, "area"):
            subject = mender.aim.value(base, names)
            return None if subject is None else _widen_area(mender, subject)
        case graph.Get(base, "partners" | "partner", relation, end):
            subject = mender.aim.value(base, names)
            return None if subject is None else _add_partner(mender, relation, end, subject)
        case graph.Get(base, "track", owner, name):
            subject = mender.aim.value(base, names)
            noted = mender.stack.vocabulary.tracks[f"{owner}.{name}"]
            return None if subject is None else _add_note(mender, noted, subject)
        case graph.Get(base, "record", _, name):
            return _add_to_record(mender, name, mender.aim.value(base, names))
        case graph.GameTrack(owner, name) if track := mender.stack.vocabulary.tracks.get(f"{owner}.{name}"):
            known = dict(mender.setting.position.facts).get(f"{owner}.{name}", track.initial)
            value = _longer(mender, track.type, known)
            return None if value is None else changes.with_fact(mender.setting, f"{owner}.{name}", value)
        case graph.All(graph.RecordOf(name)):
            record = mender.materials.record(name, mender.setting)
            return None if record is None else changes.with_record(mender.setting, record)
        case _:
            return None


def remove_member(mender: "Mender", source: graph.Expr, names: Environment) -> Setting | None:
    """Let a collection have one member less: a piece goes, pieces part, a track is forgotten."""
    match source:
        case graph.Var(name) if isinstance(delayed := names.get(name), Delayed):
            return remove_member(mender, delayed.expr, delayed.names)
        case graph.Get(base, "partners" | "partner", relation):
            own = mender.state.sheets[mender.aim.value(base, names)].name
            pairs = [pair for pair in mender.setting.position.pairs if pair[0] == relation and own in pair[1:3]]
            return changes.without_pair(mender.setting, *mender.chance.pick(pairs)[:3]) if pairs else None
        case graph.Get(base, "track", owner, name) if owner in mender.stack.vocabulary.kinds:
            subject = mender.state.sheets[mender.aim.value(base, names)].name
            return mender.edit(subject, lambda piece: changes.with_note(piece, name, None))
        case graph.GameTrack(owner, name) if owner in {"game", "scenario"}:
            return changes.with_fact(mender.setting, f"{owner}.{name}", None)
        case graph.Pieces() | graph.Op("reserve") | graph.Fold("gather"):
            asked = {argument.name for argument in mender.setting.arguments if isinstance(argument, graph.Spot)}
            members = [mender.state.sheets[piece].name for piece in mender.aim.value(source, names) or ()]
            others = [member for member in members if member not in asked]
            return changes.without_piece(mender.setting, mender.chance.pick(others)) if others else None
        case _:
            return None


def _add_piece(mender: "Mender", kinds: tuple[str, ...], at: Value) -> Setting | None:
    """Put a piece down, or bring one here that stands elsewhere."""
    pieces = mender.setting.position.pieces
    here = mender.chance.pick(mender.state.board.names) if at is None else mender.state.board.names[at]
    if len(pieces) >= MOST_PIECES or (pieces and mender.chance.once_in(4)):
        piece = mender.chance.pick(pieces)
        return mender.edit(piece.name, lambda p: replace(p, at=here))
    kind = mender.materials.kind_of(graph.Piece(kinds))
    return changes.with_piece(mender.setting, mender.materials.piece(mender.setting, kind, "other", here))


def _add_reserve(mender: "Mender", kind: str) -> Setting | None:
    """Let a piece wait to come on: a new one, or one that is on the map."""
    pieces = mender.setting.position.pieces
    standing = [piece.name for piece in pieces if piece.at and piece.kind == kind]
    if len(pieces) >= MOST_PIECES or (standing and mender.chance.once_in(4)):
        name = mender.chance.pick_or_none(standing)
        return None if name is None else mender.edit(name, lambda p: replace(p, at="", place=""))
    return changes.with_piece(mender.setting, mender.materials.piece(mender.setting, kind, "other", ""))


def _widen_area(mender: "Mender", subject: int) -> Setting | None:
    """Let a piece come on in one hex more."""
    name = mender.state.sheets[subject].name
    piece = next(piece for piece in mender.setting.position.pieces if piece.name == name)
    value = _longer(mender, AREA, piece.area)
    return None if value is None else mender.edit(name, lambda p: replace(p, area=value))


def _add_partner(mender: "Mender", relation: str, end: str, subject: int) -> Setting | None:
    """Relate the subject with somebody who fits the other end, new or known."""
    declared = mender.stack.vocabulary.relations[relation]
    wanted = declared.left.type if end == "left" else declared.right.type
    own = mender.state.sheets[subject].name
    kinds = wanted.kinds if isinstance(wanted, graph.Piece) else ()
    setting = mender.setting
    fits = [p.name for p in setting.position.pieces if p.name != own and (not kinds or p.kind in kinds)]
    other = mender.chance.pick_or_none(fits)
    if other is None or (len(setting.position.pieces) < MOST_PIECES and mender.chance.once_in(2)):
        at = next((p.at for p in setting.position.pieces if p.name == own), "")
        parameter = declared.left if end == "left" else declared.right
        piece = mender.materials.piece(setting, mender.materials.kind_of(wanted), parameter.name, at)
        setting, other = changes.with_piece(setting, piece), piece.name
    payload = None if declared.payload is None else mender.materials.value(declared.payload.type, setting)
    left, right = (other, own) if end == "left" else (own, other)
    return changes.with_pair(setting, relation, left, right, payload)


def _add_note(mender: "Mender", track: graph.Track, subject: Value) -> Setting | None:
    """Append to a track of a piece or hex."""
    if track.owner == "hex":
        name = mender.state.board.names[subject]
        known = {note[:2]: note[2] for note in mender.setting.position.hex_tracks}.get((name, track.name))
        value = _longer(mender, track.type, known)
        return None if value is None else changes.with_hex_note(mender.setting, name, track.name, value)
    name = mender.state.sheets[subject].name
    piece = next(piece for piece in mender.setting.position.pieces if piece.name == name)
    value = _longer(mender, track.type, dict(piece.tracks).get(track.name))
    return None if value is None else mender.edit(name, lambda p: changes.with_note(p, track.name, value))


def _longer(mender: "Mender", of: graph.Type, known: graph.Expr | None) -> graph.Expr | None:
    """Write a set or list with one element more."""
    if not isinstance(of, graph.Many):
        return None
    element = mender.materials.value(of.of, mender.setting)
    written = known.elements if isinstance(known, graph.SetOf) else ()
    return None if element is None else graph.SetOf(tuple(dict.fromkeys((*written, element))))


def _add_to_record(mender: "Mender", name: str, record: Value) -> Setting | None:
    """Append to a field of a record that is an argument of the question."""
    if not isinstance(record, Record):
        return None
    declared = {field.name: field.type for field in mender.stack.vocabulary.records[record.type].fields}
    for place, argument in enumerate(mender.setting.arguments):
        if isinstance(argument, graph.New) and argument.record == record.type:
            value = _longer(mender, declared[name], dict(argument.fields).get(name))
            if value is None:
                return _with_new_piece(mender, declared[name])
            kept = tuple(field for field in argument.fields if field[0] != name)
            return changes.with_argument(mender.setting, place, graph.New(record.type, (*kept, (name, value))))
    return None


def _with_new_piece(mender: "Mender", of: graph.Type) -> Setting | None:
    """Put down a piece that could become a member."""
    match of:
        case graph.Many(_, graph.Piece(kinds)):
            return _add_piece(mender, kinds, None)
        case _:
            return None
