"""Shrink a candidate: remove everything that the finding does not need.

The input is a candidate, and a test that it passes; the output is one that passes too and from which nothing more can
be removed, one thing at a time (Zeller and Hildebrandt's delta debugging, with single steps: witnesses have some twenty
parts).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from runtime.board.board import runtime_board
from runtime.graph import nodes as graph
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate

CandidatePredicate = Callable[[Candidate], bool]


def shrink(candidate: Candidate, holds: CandidatePredicate, records: Mapping[str, graph.Record]) -> Candidate:
    """Return a candidate without whatever can be removed; of records only optional fields, as others are required."""
    candidate = _with_distinct_places(candidate, holds)
    begin = 0
    while True:
        tried = (
            (index, each)
            for index, each in enumerate(smaller_candidates(candidate, records))
            if index >= begin and holds(each)
        )
        place, smaller = next(tried, (0, None))
        if smaller is None and begin == 0:
            return candidate
        # Earlier removals just failed; they are retried in the next round.
        candidate, begin = smaller or candidate, place


def _with_distinct_places(candidate: Candidate, holds: CandidatePredicate) -> Candidate:
    """Return a candidate whose arguments are different places, as far as it holds: a step from a hex into the same hex
    is a witness that tells a reader little.
    """
    board = runtime_board(candidate.position.board)
    for index, argument in enumerate(candidate.arguments):
        earlier = {each.name for each in candidate.arguments[:index] if isinstance(each, graph.Spot)}
        if isinstance(argument, graph.Spot) and argument.name in earlier & board.index.keys():
            near = board.beside[board.index[argument.name]]
            nearest = sorted(board.index.keys() - earlier, key=lambda name: (board.index[name] not in near, name))
            others = (changes.with_argument(candidate, index, replace(argument, name=name)) for name in nearest)
            candidate = next((each for each in others if holds(each)), candidate)
    return candidate


def smaller_candidates(candidate: Candidate, records: Mapping[str, graph.Record]) -> Iterator[Candidate]:
    """Return the candidates with one thing removed, the largest things first."""
    argument_names = set(_spot_names(candidate.arguments))
    for field, default in (("turn", 1), ("player", ""), ("phase", "")):
        if getattr(candidate.position, field) != default:
            yield changes.with_clock(candidate, field, default)
    for piece in candidate.position.pieces:
        if piece.name not in argument_names:
            yield changes.without_piece(candidate, piece.name)
    yield from _fewer_hexes(candidate, argument_names)
    yield from _smaller_boards(candidate)
    for relation, left, right, _ in candidate.position.pairs:
        yield changes.without_pair(candidate, relation, left, right)
    facts = candidate.position.facts
    for index in range(len(facts)):
        yield replace(candidate, position=replace(candidate.position, facts=(*facts[:index], *facts[index + 1 :])))
    for piece in candidate.position.pieces:
        for barer in _smaller_pieces(piece, records):
            yield changes.with_piece_as(candidate, barer)
    for index, argument in enumerate(candidate.arguments):
        for less in _smaller_values(argument, records):
            yield changes.with_argument(candidate, index, less)


def _fewer_hexes(candidate: Candidate, argument_names: set[str]) -> Iterator[Candidate]:
    """Remove a hex at either end of the row if nothing is there and nothing refers to it."""
    position = candidate.position
    used = argument_names | {piece.at for piece in position.pieces} | {mark[0] for mark in position.hex_marks}
    used |= {note[0] for note in position.hex_tracks} | set(_referenced_names(candidate))
    used |= {end for side in position.board.sides for end in side[:2]}
    used |= {end for path in position.board.paths for end in path[1:]}
    if position.board.shapes or position.board.links:
        yield from (_without_space(candidate, name) for name in position.board.hexes if name not in used)
        return
    names = list(position.board.hexes)
    if any(row for _, row, _ in position.board.hexes.values()):
        yield from _fewer_in_rows(candidate, used)
        return
    for end in (names[-1], names[0]) if len(names) > 1 else ():
        if end not in used:
            remaining_names = [name for name in names if name != end]
            hexes = {name: (index, 0, position.board.hexes[name][2]) for index, name in enumerate(remaining_names)}
            yield replace(candidate, position=replace(position, board=replace(position.board, hexes=hexes)))


def _without_space(candidate: Candidate, space: str) -> Candidate:
    """Remove a space of a map with connections, together with these."""
    board = candidate.position.board
    reduced_board = replace(
        board,
        hexes={name: cell for name, cell in board.hexes.items() if name != space},
        shapes={name: corners for name, corners in board.shapes.items() if name != space},
        links=tuple(link for link in board.links if space not in link[:2]),
        regions={name: tuple(each for each in hexes if each != space) for name, hexes in board.regions.items()},
    )
    return replace(candidate, position=replace(candidate.position, board=reduced_board))


def _fewer_in_rows(candidate: Candidate, used: set[str]) -> Iterator[Candidate]:
    """Remove the last hex of a row that has others, or of the last row."""
    board = candidate.position.board
    bottom = max(row for _, row, _ in board.hexes.values())
    for row in range(bottom + 1):
        *others, (_, name) = sorted(
            (column, name) for name, (column, hex_row, _) in board.hexes.items() if hex_row == row
        )
        if name not in used and (others or row == bottom):
            hexes = {each: cell for each, cell in board.hexes.items() if each != name}
            yield replace(candidate, position=replace(candidate.position, board=replace(board, hexes=hexes)))


def _smaller_boards(candidate: Candidate) -> Iterator[Candidate]:
    board = candidate.position.board
    for path, start, end in board.paths:
        yield changes.with_path(candidate, path, (start, end), present=False)
    for start, end, features in board.sides:
        for feature in features:
            yield changes.with_side(candidate, (start, end), feature, present=False)
    for name, (_, _, features) in board.hexes.items():
        for feature in features:
            yield changes.with_feature(candidate, name, feature, present=False)
    for name, status in candidate.position.hex_marks:
        yield changes.with_hex_mark(candidate, name, status, present=False)
    for name, track, _ in candidate.position.hex_tracks:
        yield changes.with_hex_note(candidate, name, track, None)


def _smaller_pieces(piece: graph.PieceAt, records: Mapping[str, graph.Record]) -> Iterator[graph.PieceAt]:
    if piece.place:
        yield replace(piece, place="")
    if piece.arrives is not None:
        yield replace(piece, arrives=None)
    if piece.area is not None:
        yield replace(piece, area=None)
    if isinstance(piece.area, graph.SetOf) and len(piece.area.elements) > 1:
        for element in piece.area.elements:
            yield replace(piece, area=graph.SetOf(tuple(each for each in piece.area.elements if each != element)))
    for status in piece.marks:
        yield replace(piece, marks=changes.with_word(piece.marks, status, present=False))
    for trait in piece.traits:
        yield replace(piece, traits=changes.with_word(piece.traits, trait, present=False))
    for name, _ in piece.tracks:
        yield changes.with_note(piece, name, None)
    for name, value in piece.tracks:
        for less in _smaller_values(value, records):
            yield changes.with_note(piece, name, less)
    for factor in piece.printed:
        yield replace(piece, printed=tuple(other for other in piece.printed if other != factor))


def _smaller_values(value: graph.Expr, records: Mapping[str, graph.Record]) -> Iterator[graph.Expr]:
    """Return what is left of a set or record if one part is removed."""
    match value:
        case graph.SetOf(elements):
            for index, element in enumerate(elements):
                yield graph.SetOf((*elements[:index], *elements[index + 1 :]))
                for less in _smaller_values(element, records):
                    yield graph.SetOf((*elements[:index], less, *elements[index + 1 :]))
        case graph.New(record, fields):
            for index, (name, part) in enumerate(fields):
                if name in records[record].optional:
                    yield graph.New(record, (*fields[:index], *fields[index + 1 :]))
                for less in _smaller_values(part, records):
                    yield graph.New(record, (*fields[:index], (name, less), *fields[index + 1 :]))
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
    position = candidate.position
    yield from _spot_names(tuple(value for piece in position.pieces for _, value in piece.tracks))
    yield from _spot_names(tuple(piece.area for piece in position.pieces if piece.area is not None))
    yield from _spot_names(tuple(value for _, value in position.facts))
    yield from _spot_names(tuple(value for _, _, value in position.hex_tracks))
