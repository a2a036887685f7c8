"""Propose one change to a candidate that adds a member to a collection, or removes one.

The input is the expression of a collection; the output is a changed candidate, or None for collections that are fixed
(neighbors, the members of an enumeration).
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from runtime.answer.expressions import Environment, LazyBinding
from runtime.graph import nodes as graph
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.pool import MOST_POOL_PIECES, Target
from runtime.witness.stored_values import StoredValue, choose_value, stored_value

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
        case graph.Op("+", parts):
            return add_member(repairer, repairer.chance.pick(parts), names, member)
        case graph.Fold("gather", _, graph.All(graph.RecordOf(name))):
            return _add_record(repairer, name, source, names, member)
        case graph.All(graph.RecordOf(name)):
            record = repairer.materials.make_record(name, repairer.candidate)
            return None if record is None else changes.with_record(repairer.candidate, record)
        case graph.Fold("gather" | "trailing" | "leading", _, inner):
            return add_member(repairer, inner, names)
        case graph.Get(base, "partners" | "partner", relation, end):
            subject = repairer.instance.value(base, names)
            return None if subject is None else add_partner(repairer, relation, end, subject)
        case _:
            stored = stored_value(repairer, source, names)
            return None if stored is None else _lengthen(repairer, stored)


def _lengthen(repairer: "Repairer", stored: StoredValue) -> Candidate | None:
    """Write a set or list with one more element; add a piece where there is none that could become one."""
    if not isinstance(stored.type, graph.Many):
        return None
    element = repairer.materials.make_value(stored.type.of, repairer.candidate)
    if element is None:
        return _add_piece(repairer, stored.type.of.kinds, None) if isinstance(stored.type.of, graph.Piece) else None
    written = stored.written.elements if isinstance(stored.written, graph.SetOf) else ()
    return stored.write(graph.SetOf(tuple(dict.fromkeys((*written, element)))))


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
        written = None if value is None else choose_value(repairer, field.type, Target("=", value))
        if written is not None:
            fields[field.name] = written
    return changes.with_record(repairer.candidate, graph.New(name, tuple(fields.items())))


def _equal_to(repairer: "Repairer", condition: graph.Expr | None, place: graph.Expr, names: Environment) -> Value:
    """Return the value that a condition requires in this place, None if it requires none explicitly."""
    match condition:
        case graph.Op("and", parts):
            values = (_equal_to(repairer, part, place, names) for part in parts)
            return next((value for value in values if value is not None), None)
        case graph.Op("=", (left, right)) if place in (left, right):
            return repairer.instance.value(right if left == place else left, names)
        case _:
            return None


def remove_member(repairer: "Repairer", source: graph.Expr, names: Environment) -> Candidate | None:
    """Remove a member from a collection: a piece, a pair, or all that is stored there."""
    match source:
        case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
            return remove_member(repairer, delayed.expr, delayed.names)
        case graph.Ask(term, arguments):
            return repairer.extend_answer(repairer.stack.terms[term], arguments, names, remove_member, want=False)
        case graph.Get(base, "partners" | "partner", relation):
            return _remove_partner(repairer, relation, repairer.instance.value(base, names))
        case graph.Pieces() | graph.Op("reserve") | graph.Fold("gather"):
            return _remove_piece(repairer, repairer.instance.value(source, names) or ())
        case _:
            stored = stored_value(repairer, source, names)
            return None if stored is None else stored.write(None)


def _remove_partner(repairer: "Repairer", relation: str, subject: int) -> Candidate | None:
    """Remove a relation of the subject."""
    candidate, name = repairer.candidate, repairer.piece(subject).name
    pairs = [pair for pair in candidate.position.pairs if pair[0] == relation and name in pair[1:3]]
    return changes.without_pair(candidate, *repairer.chance.pick(pairs)[:3]) if pairs else None


def _remove_piece(repairer: "Repairer", pieces: Iterable[int]) -> Candidate | None:
    """Remove one of these pieces that the question is not about."""
    candidate = repairer.candidate
    argument_names = {argument.name for argument in candidate.arguments if isinstance(argument, graph.Spot)}
    members = (repairer.state.sheets[piece].name for piece in pieces)
    others = [member for member in members if member not in argument_names]
    return changes.without_piece(candidate, repairer.chance.pick(others)) if others else None


def _add_piece(repairer: "Repairer", kinds: tuple[str, ...], space: Value) -> Candidate | None:
    """Add a piece, or move one here."""
    candidate, board = repairer.candidate, repairer.state.board
    pieces = candidate.position.pieces
    space_name = repairer.chance.pick(board.names) if space is None else board.names[space]
    if len(pieces) >= MOST_POOL_PIECES or (pieces and repairer.chance.one_in(4)):
        return changes.with_piece_as(candidate, replace(repairer.chance.pick(pieces), at=space_name))
    kind = repairer.materials.kind_of(graph.Piece(kinds))
    return changes.with_piece(candidate, repairer.materials.make_piece(candidate, kind, "other", space_name))


def _add_reserve(repairer: "Repairer", kind: str) -> Candidate | None:
    """Add a piece to the reserve: a new one, or one that is on the map."""
    candidate = repairer.candidate
    placed = [piece for piece in candidate.position.pieces if piece.at and piece.kind == kind]
    if len(candidate.position.pieces) >= MOST_POOL_PIECES or (placed and repairer.chance.one_in(4)):
        piece = repairer.chance.pick_or_none(placed)
        return None if piece is None else changes.with_piece_as(candidate, replace(piece, at="", place=""))
    return changes.with_piece(candidate, repairer.materials.make_piece(candidate, kind, "other", ""))


def add_partner(repairer: "Repairer", relation: str, end: str, subject: int) -> Candidate | None:
    """Add a relation of the subject with a new or existing piece of the type of the other end."""
    declared = repairer.stack.vocabulary.relations[relation]
    parameter = declared.end(end)
    kinds = parameter.type.kinds if isinstance(parameter.type, graph.Piece) else ()
    candidate, owner = repairer.candidate, repairer.piece(subject)
    others = [
        piece.name
        for piece in candidate.position.pieces
        if piece.name != owner.name and (not kinds or piece.kind in kinds)
    ]
    other = repairer.chance.pick_or_none(others)
    if other is None or (len(candidate.position.pieces) < MOST_POOL_PIECES and repairer.chance.one_in(2)):
        kind = repairer.materials.kind_of(parameter.type)
        piece = repairer.materials.make_piece(candidate, kind, parameter.name, owner.at)
        candidate, other = changes.with_piece(candidate, piece), piece.name
    payload = None if declared.payload is None else repairer.materials.make_value(declared.payload.type, candidate)
    left, right = (other, owner.name) if end == "left" else (owner.name, other)
    return changes.with_pair(candidate, relation, left, right, payload)
