"""Shrink a candidate: remove everything that the finding does not need.

The input is a candidate, and a test that it passes; the output is one that passes too and from which nothing more can
be removed, one thing at a time (Zeller and Hildebrandt's delta debugging, with single steps: witnesses have some twenty
parts); and pieces as counters of the game.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from runtime.board.board import runtime_board
from runtime.graph import nodes as graph
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.pool import DomainPool

CandidatePredicate = Callable[[Candidate], bool]
Node = TypeVar("Node", graph.Position, graph.PieceAt)


def shrink(candidate: Candidate, holds: CandidatePredicate, records: Mapping[str, graph.Record]) -> Candidate:
    """Return a candidate without whatever can be removed; of records only optional fields, as others are required."""
    candidate = _with_distinct_places(candidate, holds)
    begin = 0
    while True:
        for index, smaller in enumerate(_smaller_candidates(candidate, records)):
            if index >= begin and holds(smaller):
                candidate, begin = smaller, index
                break
        else:
            if begin == 0:
                return candidate
            # The removals before the last successful one failed; with less around them they may succeed now.
            begin = 0


# The counters that are tried for a piece, and the pieces for an empty set.
MOST_TRIED_COUNTERS, MOST_TRIED_MEMBERS = 40, 8


def as_on_a_table(
    candidate: Candidate,
    holds: CandidatePredicate,
    materials: DomainPool,
    shared: Collection[str],
    tried_counters: int = MOST_TRIED_COUNTERS,
) -> Candidate:
    """Return a candidate whose pieces show what counters show, and whose records have members, as far as it holds.

    `shared` are the counters that a position may name; of others the printed values are written out. For each piece
    the `tried_counters` nearest ones are tried.
    """
    candidate = _with_filled_sets(candidate, holds, materials)
    for piece in candidate.position.pieces:
        if not piece.counter or piece.printed or piece.traits:
            nearest = _with_nearest_counters(candidate, piece, materials.stack, shared)
            candidate = next(filter(holds, islice(nearest, tried_counters)), candidate)
    return candidate


def _with_filled_sets(candidate: Candidate, holds: CandidatePredicate, materials: DomainPool) -> Candidate:
    """Add a piece to each empty set of pieces in the records that are arguments, as far as the candidate holds."""
    for index, argument in enumerate(candidate.arguments):
        if not isinstance(argument, graph.New):
            continue
        for name, value in argument.fields:
            if value == graph.SetOf(()):
                filled = (_with_member(candidate, index, name, materials) for _ in range(MOST_TRIED_MEMBERS))
                candidate = next((larger for larger in filled if larger and holds(larger)), candidate)
    return candidate


def _with_nearest_counters(
    candidate: Candidate, piece: graph.PieceAt, rules: graph.Graph, shared: Collection[str]
) -> Iterator[Candidate]:
    """Return candidates in which a piece is a counter of its kind and owner, the most similar counters first."""
    counters = [
        counter
        for counter in rules.counters.values()
        if counter.kind == piece.kind and counter.owner in {"", piece.owner}
    ]
    counters.sort(key=partial(_count_differences, piece))
    for counter in counters:
        yield changes.with_piece_as(candidate, _with_counter(piece, counter, shared))


def _with_member(candidate: Candidate, index: int, name: str, materials: DomainPool) -> Candidate | None:
    """Add a piece to the position and to a set of a record; None for a set of anything else."""
    record = candidate.arguments[index]
    assert isinstance(record, graph.New)
    field = next(each for each in materials.words.records[record.record].fields if each.name == name)
    if not isinstance(field.type, graph.Many) or not isinstance(field.type.of, graph.Piece):
        return None
    space = materials.chance.pick(tuple(candidate.position.board.hexes))
    piece = materials.make_piece(candidate, materials.kind_of(field.type.of), "other", space)
    members = graph.SetOf((graph.Spot("piece", piece.name),))
    fields = tuple((key, members if key == name else value) for key, value in record.fields)
    return changes.with_argument(changes.with_piece(candidate, piece), index, replace(record, fields=fields))


def _count_differences(piece: graph.PieceAt, counter: graph.Counter) -> int:
    return len({*piece.printed} ^ {*counter.printed}) + len({*piece.traits} ^ {*counter.traits})


def _with_counter(piece: graph.PieceAt, counter: graph.Counter, shared: Collection[str]) -> graph.PieceAt:
    if counter.id in shared:
        return replace(piece, counter=counter.id, printed=(), traits=())
    return replace(piece, counter="", printed=counter.printed, traits=counter.traits)


def _with_distinct_places(candidate: Candidate, holds: CandidatePredicate) -> Candidate:
    """Return a candidate whose arguments are different places, as far as it holds: a step from a hex into the same hex
    is a witness that tells a reader little.
    """
    board = runtime_board(candidate.position.board)
    for index, argument in enumerate(candidate.arguments):
        earlier = {spot.name for spot in candidate.arguments[:index] if isinstance(spot, graph.Spot)}
        if isinstance(argument, graph.Spot) and argument.name in earlier & board.index.keys():
            neighbors = board.beside[board.index[argument.name]]
            # Neighbors first.
            nearest = sorted(board.index.keys() - earlier, key=lambda name: (board.index[name] not in neighbors, name))
            others = (changes.with_argument(candidate, index, replace(argument, name=name)) for name in nearest)
            candidate = next(filter(holds, others), candidate)
    return candidate


def _smaller_candidates(candidate: Candidate, records: Mapping[str, graph.Record]) -> Iterator[Candidate]:
    """Return the candidates with one thing removed, the largest things first."""
    position, argument_names = candidate.position, set(_spot_names(candidate.arguments))
    for field, default in (("turn", 1), ("player", ""), ("phase", "")):
        if getattr(position, field) != default:
            yield changes.with_clock(candidate, field, default)
    for piece in position.pieces:
        if piece.name not in argument_names:
            yield changes.without_piece(candidate, piece.name)
    for board in (*_with_fewer_hexes(candidate, argument_names), *_with_fewer_features(position.board)):
        yield replace(candidate, position=replace(position, board=board))
    for field in ("hex_marks", "hex_tracks", "pairs", "facts"):
        for left in _fewer(getattr(position, field)):
            yield replace(candidate, position=_with(position, field, left))
    for piece in position.pieces:
        for smaller_piece in _smaller_pieces(piece, records):
            yield changes.with_piece_as(candidate, smaller_piece)
    for index, argument in enumerate(candidate.arguments):
        for smaller_value in _smaller_values(argument, records):
            yield changes.with_argument(candidate, index, smaller_value)


def _fewer(parts: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Return a row without each of its parts in turn."""
    for index in range(len(parts)):
        yield (*parts[:index], *parts[index + 1 :])


def _with(node: Node, field: str, value: Any) -> Node:
    """Return a position or a piece with another value of a field."""
    fields: dict[str, Any] = {field: value}
    return replace(node, **fields)


def _with_fewer_hexes(candidate: Candidate, argument_names: set[str]) -> Iterator[graph.Board]:
    """Remove a hex where nothing is and to which nothing refers."""
    board = candidate.position.board
    used = argument_names.union(_referenced_names(candidate))
    for name in _removable_hexes(board):
        if name not in used:
            yield _without_hex(board, name)


def _removable_hexes(board: graph.Board) -> list[str]:
    """Return the hexes without which a board can still be written: of rows only the last one, or ends of the others."""
    if board.shapes or board.links:
        return list(board.hexes)
    rows: dict[int, list[tuple[int, str]]] = {}
    for name, (column, row, _) in board.hexes.items():
        rows.setdefault(row, []).append((column, name))
    bottom = max(rows, default=0)
    if bottom == 0:
        names = list(board.hexes)
        return [names[-1], names[0]] if len(names) > 1 else []
    return [max(row)[1] for number, row in sorted(rows.items()) if len(row) > 1 or number == bottom]


def _without_hex(board: graph.Board, removed: str) -> graph.Board:
    """Remove a hex, with its connections; what is left of a single row begins in the first column."""
    hexes = {name: cell for name, cell in board.hexes.items() if name != removed}
    if not board.shapes and not board.links and not any(row for _, row, _ in hexes.values()):
        hexes = {name: (index, 0, features) for index, (name, (_, _, features)) in enumerate(hexes.items())}
    return replace(
        board,
        hexes=hexes,
        shapes={name: corners for name, corners in board.shapes.items() if name != removed},
        links=tuple(link for link in board.links if removed not in link[:2]),
        regions={name: tuple(space for space in spaces if space != removed) for name, spaces in board.regions.items()},
    )


def _with_fewer_features(board: graph.Board) -> Iterator[graph.Board]:
    """Remove a path, or a feature of a hexside or a hex."""
    for paths in _fewer(board.paths):
        yield replace(board, paths=paths)
    for index, (start, end, features) in enumerate(board.sides):
        for left in _fewer(features):
            side = ((start, end, left),) if left else ()
            yield replace(board, sides=(*board.sides[:index], *side, *board.sides[index + 1 :]))
    for name, (column, row, features) in board.hexes.items():
        for left in _fewer(features):
            yield replace(board, hexes={**board.hexes, name: (column, row, left)})


def _smaller_pieces(piece: graph.PieceAt, records: Mapping[str, graph.Record]) -> Iterator[graph.PieceAt]:
    for field, default in (("place", ""), ("arrives", None), ("area", None)):
        if getattr(piece, field) != default:
            yield _with(piece, field, default)
    if isinstance(piece.area, graph.SetOf) and len(piece.area.elements) > 1:
        for elements in _fewer(piece.area.elements):
            yield replace(piece, area=graph.SetOf(elements))
    for field in ("marks", "traits", "tracks"):
        for left in _fewer(getattr(piece, field)):
            yield _with(piece, field, left)
    for name, value in piece.tracks:
        for smaller_value in _smaller_values(value, records):
            yield changes.with_note(piece, name, smaller_value)
    for printed in _fewer(piece.printed):
        yield replace(piece, printed=printed)


def _smaller_values(value: graph.Expr, records: Mapping[str, graph.Record]) -> Iterator[graph.Expr]:
    """Return what is left of a set or record if one part is removed."""
    match value:
        case graph.SetOf(elements):
            for index, element in enumerate(elements):
                before, after = elements[:index], elements[index + 1 :]
                yield graph.SetOf((*before, *after))
                for smaller_value in _smaller_values(element, records):
                    yield graph.SetOf((*before, smaller_value, *after))
        case graph.New(record, fields):
            for index, (name, part) in enumerate(fields):
                earlier, later = fields[:index], fields[index + 1 :]
                if name in records[record].optional:
                    yield graph.New(record, (*earlier, *later))
                for smaller_value in _smaller_values(part, records):
                    # A procedure that creates a record has usually filled its sets.
                    if smaller_value != graph.SetOf(()):
                        yield graph.New(record, (*earlier, (name, smaller_value), *later))
        case _:
            pass


def _spot_names(exprs: tuple[graph.Expr, ...]) -> Iterator[str]:
    """Return the hexes and pieces that values refer to."""
    for expr in exprs:
        match expr:
            case graph.Spot(_, name):
                yield name
            case graph.SetOf(parts) | graph.Op(_, parts):
                yield from _spot_names(parts)
            case graph.New(_, fields):
                yield from _spot_names(tuple(value for _, value in fields))
            case _:
                pass


def _referenced_names(candidate: Candidate) -> Iterator[str]:
    """Return the hexes and pieces that a position names, except in its list of hexes."""
    position = candidate.position
    for piece in position.pieces:
        yield piece.at
        yield from _spot_names(tuple(value for _, value in piece.tracks))
        if piece.area is not None:
            yield from _spot_names((piece.area,))
    yield from _spot_names(tuple(value for _, value in position.facts))
    for mark in position.hex_marks:
        yield mark[0]
    for name, _, value in position.hex_tracks:
        yield name
        yield from _spot_names((value,))
    for side in position.board.sides:
        yield from side[:2]
    for path in position.board.paths:
        yield from path[1:]
