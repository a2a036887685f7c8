"""Propose one change to a candidate that adds a member to a collection, or removes one.

The input is the expression of a collection; the output is a changed candidate, or None for collections that are fixed
(neighbors, the members of an enumeration).
"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from runtime.answer.expressions import Environment, LazyBinding
from runtime.graph import nodes as graph
from runtime.state.record import Record, Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.pool import MOST_POOL_PIECES, Target

AREA = graph.Many("set", graph.Hex())

if TYPE_CHECKING:
    from runtime.witness.repair import Repairer


def add_member(repairer: "Repairer", source: graph.Expr, names: Environment, member: Value = None) -> Candidate | None:
    """Add a member to a collection: `member`, if that is known and possible."""
    match source:
        case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
            return add_member(repairer, delayed.expr, delayed.names, member)
        case graph.Ask(term, arguments):
            extend = partial(add_member, member=member)
            return repairer.extend_answer(repairer.stack.terms[term], arguments, names, extend, want=True)
        case graph.Pieces(kinds, space):
            return _add_piece(repairer, kinds, None if space is None else repairer.instance.value(space, names))
        case graph.Op("reserve", (graph.Member(_, kind),)):
            return _add_reserve(repairer, kind)
        case graph.Op("+", (left, right)):
            return add_member(repairer, left if repairer.chance.one_in(2) else right, names, member)
        case graph.Fold("gather", _, graph.All(graph.RecordOf(name))):
            return _add_record(repairer, name, source, names, member)
        case graph.Fold("gather" | "trailing" | "leading", _, inner):
            return add_member(repairer, inner, names)
        case graph.Get(base):
            subject = repairer.instance.value(base, names)
            return None if subject is None else _add_to_place(repairer, source, subject)
        case graph.GameTrack(owner, name) if track := repairer.stack.vocabulary.tracks.get(f"{owner}.{name}"):
            known = dict(repairer.candidate.position.facts).get(f"{owner}.{name}", track.initial)
            value = _longer(repairer, track.type, known)
            return None if value is None else changes.with_fact(repairer.candidate, f"{owner}.{name}", value)
        case graph.All(graph.RecordOf(name)):
            record = repairer.materials.make_record(name, repairer.candidate)
            return None if record is None else changes.with_record(repairer.candidate, record)
        case _:
            return None


def _add_record(
    repairer: "Repairer", name: str, gathered: graph.Fold, names: Environment, member: Value
) -> Candidate | None:
    """Add a record that is gathered: its fields satisfy the filter, and contain `member` if possible."""
    record = repairer.materials.make_record(name, repairer.candidate)
    if record is None:
        return None
    fields = dict(record.fields)
    for field in repairer.stack.vocabulary.records[name].fields:
        place = graph.Get(graph.Var(gathered.var), "record", name, field.name)
        value = member if gathered.body == place else _equal_to(repairer, gathered.where, place, names)
        written = None if value is None else repairer.choose_value(field.type, Target("=", value))
        if written is not None:
            fields[field.name] = written
    return changes.with_record(repairer.candidate, graph.New(name, tuple(fields.items())))


def _equal_to(repairer: "Repairer", condition: graph.Expr | None, place: graph.Expr, names: Environment) -> Value:
    """Return the value that a condition requires in this place, None if it requires none explicitly."""
    match condition:
        case graph.Op("and", parts):
            found = (_equal_to(repairer, part, place, names) for part in parts)
            return next((value for value in found if value is not None), None)
        case graph.Op("=", (left, right)) if place in (left, right):
            return repairer.instance.value(right if left == place else left, names)
        case _:
            return None


def _add_to_place(repairer: "Repairer", place: graph.Get, subject: Value) -> Candidate | None:
    """Add a member to a collection that is stored for a subject."""
    match place:
        case graph.Get(_, "given", _, "area"):
            return _widen_area(repairer, subject)
        case graph.Get(_, "partners" | "partner", relation, end):
            return add_partner(repairer, relation, end, subject)
        case graph.Get(_, "track", owner, name):
            return _add_note(repairer, repairer.stack.vocabulary.tracks[f"{owner}.{name}"], subject)
        case graph.Get(_, "record", _, name):
            return _add_to_record(repairer, name, subject)
        case _:
            return None


def remove_member(repairer: "Repairer", source: graph.Expr, names: Environment) -> Candidate | None:
    """Remove a member from a collection: a piece, a pair or a track is removed."""
    match source:
        case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
            return remove_member(repairer, delayed.expr, delayed.names)
        case graph.Ask(term, arguments):
            return repairer.extend_answer(repairer.stack.terms[term], arguments, names, remove_member, want=False)
        case graph.Get(base, "partners" | "partner", relation):
            subject_name = repairer.state.sheets[repairer.instance.value(base, names)].name
            pairs = [
                pair for pair in repairer.candidate.position.pairs if pair[0] == relation and subject_name in pair[1:3]
            ]
            return changes.without_pair(repairer.candidate, *repairer.chance.pick(pairs)[:3]) if pairs else None
        case graph.Get(base, "track", owner, name) if owner in repairer.stack.vocabulary.kinds:
            subject = repairer.state.sheets[repairer.instance.value(base, names)].name
            return repairer.edit_candidate(subject, lambda piece: changes.with_note(piece, name, None))
        case graph.GameTrack(owner, name) if owner in {"game", "scenario"}:
            return changes.with_fact(repairer.candidate, f"{owner}.{name}", None)
        case graph.Pieces() | graph.Op("reserve") | graph.Fold("gather"):
            argument_names = {
                argument.name for argument in repairer.candidate.arguments if isinstance(argument, graph.Spot)
            }
            members = [repairer.state.sheets[piece].name for piece in repairer.instance.value(source, names) or ()]
            others = [member for member in members if member not in argument_names]
            return changes.without_piece(repairer.candidate, repairer.chance.pick(others)) if others else None
        case _:
            return None


def _add_piece(repairer: "Repairer", kinds: tuple[str, ...], space: Value) -> Candidate | None:
    """Add a piece, or move one here."""
    pieces = repairer.candidate.position.pieces
    space_name = (
        repairer.chance.pick(repairer.state.board.names) if space is None else repairer.state.board.names[space]
    )
    if len(pieces) >= MOST_POOL_PIECES or (pieces and repairer.chance.one_in(4)):
        piece = repairer.chance.pick(pieces)
        return repairer.edit_candidate(piece.name, lambda p: replace(p, at=space_name))
    kind = repairer.materials.kind_of(graph.Piece(kinds))
    return changes.with_piece(
        repairer.candidate, repairer.materials.make_piece(repairer.candidate, kind, "other", space_name)
    )


def _add_reserve(repairer: "Repairer", kind: str) -> Candidate | None:
    """Add a piece to the reserve: a new one, or one that is on the map."""
    pieces = repairer.candidate.position.pieces
    placed = [piece.name for piece in pieces if piece.at and piece.kind == kind]
    if len(pieces) >= MOST_POOL_PIECES or (placed and repairer.chance.one_in(4)):
        name = repairer.chance.pick_or_none(placed)
        return None if name is None else repairer.edit_candidate(name, lambda p: replace(p, at="", place=""))
    return changes.with_piece(repairer.candidate, repairer.materials.make_piece(repairer.candidate, kind, "other", ""))


def _widen_area(repairer: "Repairer", subject: int) -> Candidate | None:
    """Add a hex to the area in which a piece may enter."""
    name = repairer.state.sheets[subject].name
    piece = next(piece for piece in repairer.candidate.position.pieces if piece.name == name)
    value = _longer(repairer, AREA, piece.area)
    return None if value is None else repairer.edit_candidate(name, lambda p: replace(p, area=value))


def add_partner(repairer: "Repairer", relation: str, end: str, subject: int) -> Candidate | None:
    """Add a relation of the subject with a new or existing piece of the type of the other end."""
    declared = repairer.stack.vocabulary.relations[relation]
    end_type = declared.left.type if end == "left" else declared.right.type
    subject_name = repairer.state.sheets[subject].name
    kinds = end_type.kinds if isinstance(end_type, graph.Piece) else ()
    candidate = repairer.candidate
    piece_names = [
        p.name for p in candidate.position.pieces if p.name != subject_name and (not kinds or p.kind in kinds)
    ]
    other = repairer.chance.pick_or_none(piece_names)
    if other is None or (len(candidate.position.pieces) < MOST_POOL_PIECES and repairer.chance.one_in(2)):
        space = next((p.at for p in candidate.position.pieces if p.name == subject_name), "")
        parameter = declared.left if end == "left" else declared.right
        piece = repairer.materials.make_piece(candidate, repairer.materials.kind_of(end_type), parameter.name, space)
        candidate, other = changes.with_piece(candidate, piece), piece.name
    payload = None if declared.payload is None else repairer.materials.make_value(declared.payload.type, candidate)
    left, right = (other, subject_name) if end == "left" else (subject_name, other)
    return changes.with_pair(candidate, relation, left, right, payload)


def _add_note(repairer: "Repairer", track: graph.Track, subject: Value) -> Candidate | None:
    """Append to a track of a piece or hex."""
    if track.owner == "hex":
        name = repairer.state.board.names[subject]
        known = {note[:2]: note[2] for note in repairer.candidate.position.hex_tracks}.get((name, track.name))
        value = _longer(repairer, track.type, known)
        return None if value is None else changes.with_hex_note(repairer.candidate, name, track.name, value)
    name = repairer.state.sheets[subject].name
    piece = next(piece for piece in repairer.candidate.position.pieces if piece.name == name)
    value = _longer(repairer, track.type, dict(piece.tracks).get(track.name))
    return None if value is None else repairer.edit_candidate(name, lambda p: changes.with_note(p, track.name, value))


def _longer(repairer: "Repairer", type_: graph.Type, known: graph.Expr | None) -> graph.Expr | None:
    """Return a set or list with one more element."""
    if not isinstance(type_, graph.Many):
        return None
    element = repairer.materials.make_value(type_.of, repairer.candidate)
    written = known.elements if isinstance(known, graph.SetOf) else ()
    return None if element is None else graph.SetOf(tuple(dict.fromkeys((*written, element))))


def _add_to_record(repairer: "Repairer", name: str, record: Value) -> Candidate | None:
    """Append to a field of a record that is an argument of the question."""
    if not isinstance(record, Record):
        return None
    declared = {field.name: field.type for field in repairer.stack.vocabulary.records[record.type].fields}
    for index, argument in enumerate(repairer.candidate.arguments):
        if isinstance(argument, graph.New) and argument.record == record.type:
            value = _longer(repairer, declared[name], dict(argument.fields).get(name))
            if value is None:
                return _with_new_piece(repairer, declared[name])
            other_fields = tuple(field for field in argument.fields if field[0] != name)
            return changes.with_argument(
                repairer.candidate, index, graph.New(record.type, (*other_fields, (name, value)))
            )
    return None


def _with_new_piece(repairer: "Repairer", type_: graph.Type) -> Candidate | None:
    """Add a piece that could become a member."""
    match type_:
        case graph.Many(_, graph.Piece(kinds)):
            return _add_piece(repairer, kinds, None)
        case _:
            return None
