"""Candidates: a position together with the arguments of a question, and the small changes of a search.

Candidates are values: each change yields a new one, so that a search may discard an unsuccessful change, and shrinking
consists of trying removals.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import map_children

T = TypeVar("T")

# The largest width of a board in a search.
MOST_HEXES = 100


@frozen_dataclass
class Candidate:
    """A position and one expression for each parameter of the term."""

    position: graph.Position
    arguments: tuple[graph.Expr, ...]


def empty_candidate(stack: str, player: str, phase: str, hexes: Iterable[str], width: int) -> Candidate:
    """Return a candidate with a row of bare hexes, or rows of this width."""
    row: dict[str, tuple[int, int, tuple[str, ...]]] = {
        name: (index % width, index // width, ()) for index, name in enumerate(hexes)
    }
    board = graph.Board("witness", row, (), (), {})
    return Candidate(graph.Position("witness", stack, board, (), (), (), (), (), 1, player, phase), ())


# ---------------------------------------------------------------------- the board


def with_feature(candidate: Candidate, name: str, feature: str, present: bool) -> Candidate:  # noqa: FBT001 -- it is the fact
    """Return the candidate with a feature of a hex added or removed."""
    hexes = candidate.position.board.hexes
    column, row, features = hexes[name]
    return _board(candidate, hexes={**hexes, name: (column, row, with_entry(features, feature, present))})


def with_side(candidate: Candidate, ends: tuple[str, str], feature: str, present: bool) -> Candidate:  # noqa: FBT001
    """Return the candidate with a feature of a hexside added or removed."""
    sides = {(start, end): features for start, end, features in candidate.position.board.sides}
    sides[ends] = with_entry(sides.get(ends, ()), feature, present)
    return _board(candidate, sides=tuple((*ends, features) for ends, features in sorted(sides.items()) if features))


def with_path(candidate: Candidate, path: str, ends: tuple[str, str], present: bool) -> Candidate:  # noqa: FBT001
    """Return the candidate with a path over a hexside added or removed."""
    paths = with_entry(candidate.position.board.paths, (path, *ends), present)
    return _board(candidate, paths=tuple(sorted(paths)) if present else paths)


def with_hexes(candidate: Candidate, names: Iterable[str]) -> Candidate:
    """Return the candidate with a longer row; existing hexes stay."""
    hexes = dict(candidate.position.board.hexes)
    for name in names:
        hexes.setdefault(name, (len(hexes), 0, ()))
    return _board(candidate, hexes=hexes)


def _board(candidate: Candidate, **changes: object) -> Candidate:
    return _change(candidate, board=replace(candidate.position.board, **changes))  # type: ignore[arg-type]  # by field


def _change(candidate: Candidate, **changes: object) -> Candidate:
    position = replace(candidate.position, **changes)  # type: ignore[arg-type]  # by field
    return replace(candidate, position=position)


# ---------------------------------------------------------------------- the pieces


def with_piece(candidate: Candidate, piece: graph.PieceAt) -> Candidate:
    """Return the candidate with one more piece."""
    return _change(candidate, pieces=(*candidate.position.pieces, piece))


def with_piece_as(candidate: Candidate, piece: graph.PieceAt) -> Candidate:
    """Return the candidate with another piece in place of the one of this name."""
    pieces = tuple(piece if other.name == piece.name else other for other in candidate.position.pieces)
    return _change(candidate, pieces=pieces)


def without_piece(candidate: Candidate, name: str) -> Candidate:
    """Return the candidate without a piece and all references to it: pairs, members of sets, fields of records."""
    position = candidate.position
    pieces = [replace(piece, tracks=_forget_all(piece.tracks, name)) for piece in position.pieces if piece.name != name]
    values = ((place, track, _without_name(value, name)) for place, track, value in position.hex_tracks)
    arguments = (_without_name(argument, name) for argument in candidate.arguments)
    reduced_position = replace(
        position,
        pieces=tuple(pieces),
        pairs=tuple(pair for pair in position.pairs if name not in pair[1:3]),
        facts=_forget_all(position.facts, name),
        hex_tracks=tuple((place, track, value) for place, track, value in values if value is not None),
    )
    return Candidate(reduced_position, tuple(argument for argument in arguments if argument is not None))


def _without_name(value: graph.Expr, name: str) -> graph.Expr | None:
    """Return a value without a hex or piece; None if nothing is left of it."""
    match value:
        case graph.Spot(_, spot):
            return None if spot == name else value
        case graph.SetOf(elements):
            left = (_without_name(element, name) for element in elements)
            return graph.SetOf(tuple(element for element in left if element is not None))
        case graph.New(record, fields):
            return graph.New(record, _forget_all(fields, name))
        case _:
            return value


def _forget_all(pairs: tuple[tuple[str, graph.Expr], ...], name: str) -> tuple[tuple[str, graph.Expr], ...]:
    left = ((key, _without_name(value, name)) for key, value in pairs)
    return tuple((key, value) for key, value in left if value is not None)


def with_note(piece: graph.PieceAt, track: str, value: graph.Expr | None) -> graph.PieceAt:
    """Return a piece with a track set, or removed by None."""
    return replace(piece, tracks=_put(piece.tracks, track, value))


def with_factor(piece: graph.PieceAt, name: str, value: graph.Expr) -> graph.PieceAt:
    """Return a piece with a printed factor set."""
    return replace(piece, printed=_put(piece.printed, name, value))


def with_entry(entries: tuple[T, ...], entry: T, present: bool) -> tuple[T, ...]:  # noqa: FBT001
    """Return a list with an entry moved to its end, or removed."""
    others = tuple(other for other in entries if other != entry)
    return (*others, entry) if present else others


# ---------------------------------------------------------------------- everything else


def with_pair(candidate: Candidate, relation: str, left: str, right: str, payload: graph.Expr | None) -> Candidate:
    """Return the candidate with a relation of two pieces added."""
    pair = (relation, left, right, payload)
    other_pairs = tuple(other for other in candidate.position.pairs if other[:3] != pair[:3])
    return _change(candidate, pairs=(*other_pairs, pair))


def without_pair(candidate: Candidate, relation: str, left: str, right: str) -> Candidate:
    """Return the candidate without the relation of two pieces."""
    other_pairs = tuple(other for other in candidate.position.pairs if other[:3] != (relation, left, right))
    return _change(candidate, pairs=other_pairs)


def with_fact(candidate: Candidate, name: str, value: graph.Expr | None) -> Candidate:
    """Return the candidate with a track of the game or scenario set, or removed by None."""
    return _change(candidate, facts=_put(candidate.position.facts, name, value))


def with_record(candidate: Candidate, record: graph.New) -> Candidate:
    """Return the candidate with one more record."""
    return _change(candidate, facts=(*candidate.position.facts, (f"record.{record.record}", record)))


def with_clock(candidate: Candidate, field: str, value: int | str) -> Candidate:
    """Return the candidate with another turn, player or phase."""
    return _change(candidate, **{field: value})


def with_hex_mark(candidate: Candidate, name: str, status: str, present: bool) -> Candidate:  # noqa: FBT001
    """Return the candidate with a status of a hex set or cleared."""
    return _change(candidate, hex_marks=with_entry(candidate.position.hex_marks, (name, status), present))


def with_hex_note(candidate: Candidate, name: str, track: str, value: graph.Expr | None) -> Candidate:
    """Return the candidate with a track of a hex set, or removed by None."""
    other_notes = tuple(note for note in candidate.position.hex_tracks if note[:2] != (name, track))
    return _change(candidate, hex_tracks=other_notes if value is None else (*other_notes, (name, track, value)))


def with_argument(candidate: Candidate, index: int, value: graph.Expr) -> Candidate:
    """Return the candidate with another argument."""
    arguments = candidate.arguments
    return replace(candidate, arguments=(*arguments[:index], value, *arguments[index + 1 :]))


def _put(
    pairs: tuple[tuple[str, graph.Expr], ...], name: str, value: graph.Expr | None
) -> tuple[tuple[str, graph.Expr], ...]:
    other_pairs = tuple(pair for pair in pairs if pair[0] != name)
    return other_pairs if value is None else (*other_pairs, (name, value))


LONGEST_FIXED_NAME = 2  # the most letters of a name that remains


def with_piece_names(value: T, names: Mapping[str, str]) -> T:
    """Rename pieces, wherever they occur."""
    match value:
        case graph.Spot("piece", name):
            return replace(value, name=names.get(name, name))
        case graph.PieceAt(name):
            tracks = with_piece_names(value.tracks, names)
            return replace(value, name=names.get(name, name), tracks=tracks)
        case graph.Position():
            pairs = tuple(
                (relation, names.get(left, left), names.get(right, right), with_piece_names(payload, names))
                for relation, left, right, payload in value.pairs
            )
            rest = {key: with_piece_names(getattr(value, key), names) for key in ("pieces", "facts", "hex_tracks")}
            return replace(value, pairs=pairs, **rest)
        case _:
            return map_children(value, lambda part: with_piece_names(part, names))


def with_short_names(candidate: Candidate, stack: graph.Graph) -> Candidate:
    """Rename the pieces that have longer names."""
    pieces = candidate.position.pieces
    members = {member.name for enum in stack.vocabulary.enums.values() for member in enum.members}
    used_names = {piece.name for piece in pieces} | set(candidate.position.board.hexes) | members
    short_names: dict[str, str] = {}
    for piece in pieces:
        if len(piece.name) > LONGEST_FIXED_NAME:
            letter = _initial(piece, stack)
            numbered = (f"{letter}{number}" for number in range(2, 99))
            name = next(name for name in (letter, *numbered) if name not in used_names)
            short_names[piece.name] = name
            used_names.add(name)
    return with_piece_names(candidate, short_names)


def _initial(piece: graph.PieceAt, stack: graph.Graph) -> str:
    """Return the first letter of what a piece is called, not of its caliber."""
    called = words.counter(piece.counter, stack.counters) if piece.counter else words.kind(piece.kind, stack.vocabulary)
    return next((word[0].upper() for word in called.split() if word[0].isalpha() and word.isascii()), "P")
