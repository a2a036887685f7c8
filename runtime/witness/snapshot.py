"""Convert the state of a game to a position that can be set up.

The input is a state, and the board it was set up on as the graph has it; the output is a graph.Position, or None if a
position cannot represent the state: removed pieces, amended records, tracks of sides, a card's map.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of
from runtime.state.change import OPEN
from runtime.state.constants import ConstantScope, first_values, printed_values
from runtime.state.position import GONE, LEFT, State
from runtime.state.record import Value
from runtime.witness.candidate import with_piece_names
from runtime.witness.pool import literal_text
from runtime.witness.position_file import OF_THE_GAME
from runtime.witness.translated_position import ON_EVERY_CARD

# Characters that a name in a position file must not contain.
NOT_IN_NAMES = re.compile(r"\W")


T = TypeVar("T")


class _NoSnapshot(Exception):  # noqa: N818 -- no error: a state that has no position
    """Signals something that positions cannot represent."""


def position_of(state: State, position: graph.Position) -> graph.Position | None:
    """Convert a state; `position` is what it was set up from."""
    if state.amended or any(space in LEFT for space in state.hex):
        return None
    if not position.board.hexes and state.board.names:
        return None  # It begins on a card, whose map is not the position's own.
    converted_position, left_out = _partial_position(state, position)
    return None if left_out else converted_position


def _partial_position(state: State, position: graph.Position) -> tuple[graph.Position, tuple[str, ...]]:
    """Convert as much of a state as a position can represent, and return the rest as text."""
    left_out = []
    removed_names = frozenset(sheet.name for sheet, space in zip(state.sheets, state.hex, strict=True) if space == GONE)
    if removed_names:
        left_out.append("pieces that are gone, and what speaks of them")
    if any(space in LEFT and space != GONE for space in state.hex):
        left_out.append("that pieces were taken off the map, and may come back")

    def writable(entries: Iterable[T]) -> tuple[T, ...]:
        """Exclude what refers to a removed piece."""
        return tuple(entry for entry in entries if not _refers_to(entry, removed_names))

    try:
        pieces = [_piece(state, index) for index, space in enumerate(state.hex) if space != GONE]
        converted_position = replace(
            position,
            pieces=tuple(replace(piece, tracks=writable(piece.tracks)) for piece in pieces),
            facts=writable(_facts(state)),
            hex_marks=tuple(_hex_marks(state)),
            hex_tracks=writable(_hex_tracks(state)),
            pairs=tuple(pair for pair in _pairs(state) if removed_names.isdisjoint(pair[1:3])),
            turn=state.turn,
            player=state.player,
            phase=state.phase,
        )
    except _NoSnapshot:
        return position, ("all but the map: something in it cannot be written down",)
    return converted_position, tuple(left_out)


def _refers_to(entry: object, names: frozenset[str]) -> bool:
    return any(node.name in names for node in nodes_of(graph.Spot, entry))


class _Snapshot(NamedTuple):
    """A state as a position that a file or an example can represent, or None if its map has no plain rows of hexes.

    `names` are those of the pieces there, by the names in play; `left_out` describes what the position lacks.
    """

    position: graph.Position | None
    names: Mapping[str, str]
    left_out: tuple[str, ...]


def take_snapshot(state: State, board: graph.Board | None, name: str) -> _Snapshot:
    """Convert as much of a state on a board as a file can represent, with valid names of pieces."""
    names = {sheet.name: NOT_IN_NAMES.sub("_", sheet.name) for sheet in state.sheets}
    if board is None or not _is_representable(board):
        return _Snapshot(None, names, ("the position: no file can hold its map",))
    # As files write hexes: row by row.
    cells = dict(sorted(board.hexes.items(), key=lambda cell: (cell[1][1], cell[1][0])))
    # Outlines with a common edge would be connected where the board has closed that; points of two maps may coincide.
    has_separate_sheets = sum(region.startswith("sheet:") for region in board.regions) > 1
    shapes = {
        space: () if has_separate_sheets or len(corners) > 1 else corners for space, corners in board.shapes.items()
    }
    plain_board = replace(board, hexes=cells, shapes=shapes)
    empty = graph.Position(name, state.graph.stack, plain_board, (), (), (), (), (), 1, "", "")
    position, left_out = _partial_position(state, empty)
    return _Snapshot(with_piece_names(position, names), names, left_out)


def _is_representable(board: graph.Board) -> bool:
    """Return whether a position file can represent a map: rows of hexes that start at the same edge, areas and points.

    It cannot represent rows that lie on several maps.
    """
    rows: dict[int, list[int]] = {}
    for name, (column, row, _) in board.hexes.items():
        if name not in board.shapes:
            rows.setdefault(row, []).append(column)
    return all(sorted(numbers) == list(range(len(numbers))) for numbers in (list(rows), *rows.values()))


def _literal_of(state: State, value: Value, type_: graph.Type) -> graph.Expr:
    """Convert a value to its literal."""
    literal = literal_text(value, type_, state)
    if literal is None:
        raise _NoSnapshot
    return literal


def _piece(state: State, index: int) -> graph.PieceAt:
    sheet, rules, names = state.sheets[index], state.graph, state.board.names
    counter = rules.counters.get(sheet.counter)
    scope = ConstantScope(state.board.index, state.frame.rank)
    kind = rules.vocabulary.kinds[sheet.kind]
    known = first_values(kind, scope) if counter is None else printed_values(counter, scope.rank)
    types = {factor.name: factor.type for factor in kind.printed}
    printed = {name: value for name, value in sheet.printed.items() if known.get(name) != value}
    space = state.hex[index]
    place = state.place[index] if space >= 0 else ""
    owner = f"{sheet.kind}."
    tracks = []
    for key in state.tracks:
        if key.startswith(owner):
            tracks += [(key.removeprefix(owner), value) for subject, value in _notes(state, key) if subject == index]
    return graph.PieceAt(
        sheet.name,
        sheet.kind,
        sheet.counter if counter else "",
        sheet.side,
        names[space] if space >= 0 else "",
        "" if place == OPEN else place,
        tuple((name, _literal_of(state, value, types[name])) for name, value in printed.items()),
        tuple(sorted(sheet.traits.difference(counter.traits if counter else ()))),
        tuple(key.removeprefix(owner) for key, on in state.marks.items() if key.startswith(owner) and index in on),
        tuple(tracks),
        graph.SetOf(tuple(graph.Spot("hex", names[hex_]) for hex_ in sheet.area)) if sheet.area else None,
        graph.Num(Fraction(sheet.arrives), "") if sheet.arrives else None,
    )


def _hex_marks(state: State) -> Iterator[tuple[str, str]]:
    for key, marked in state.marks.items():
        if key.startswith("hex."):
            yield from ((state.board.names[place], key.partition(".")[2]) for place in sorted(marked))


def _hex_tracks(state: State) -> Iterator[tuple[str, str, graph.Expr]]:
    for key in state.tracks:
        if key.startswith("hex."):
            for place, value in _notes(state, key):
                yield state.board.names[place], key.partition(".")[2], value


def _notes(state: State, key: str) -> Iterator[tuple[Value, graph.Expr]]:
    type_ = state.frame.tracks[key].type
    for subject, value in state.tracks[key].items():
        if value is not None and value != state.frame.initial[key]:
            yield subject, _literal_of(state, value, type_)


def _facts(state: State) -> Iterator[tuple[str, graph.Expr]]:
    for key, track in state.frame.tracks.items():
        value = state.facts.get(key)
        demanded = bool(track.required) and track.initial is None  # A position has to state it, even if it is empty.
        if track.owner in OF_THE_GAME and value is not None and (demanded or value != state.frame.initial[key]):
            yield key, _literal_of(state, value, track.type)
    for key, track in state.frame.tracks.items():
        if track.owner == "side" and key in state.tracks:
            yield from ((f"{side}.{track.name}", value) for side, value in _notes(state, key))
    for key, value_type in ON_EVERY_CARD.items():
        if state.facts.get(key) is not None and key not in state.frame.tracks:
            yield key, _literal_of(state, state.facts[key], value_type)
    for type_, records in state.records.items():
        for record in records:
            yield f"record.{type_}", _literal_of(state, record, graph.RecordOf(type_))


def _pairs(state: State) -> Iterator[tuple[str, str, str, graph.Expr | None]]:
    for name, pairs in state.pairs.items():
        parameter = state.frame.relations[name].payload
        for (left, right), payload in pairs.payload.items():
            value = None if payload is None or parameter is None else _literal_of(state, payload, parameter.type)
            yield name, state.sheets[left].name, state.sheets[right].name, value
