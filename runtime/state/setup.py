"""Construction of states from position files and scenario cards.

In: a graph and a graph.Position or its scenario. Out: a `State` with every piece in its place. Whatever a position does
not mention has its declared initial value: tracks their initial values, statuses unmarked.
"""

from collections.abc import Iterable, Mapping, Sequence

from runtime.board.board import runtime_board
from runtime.graph import nodes as graph
from runtime.graph.roster import list_roster
from runtime.state import change
from runtime.state.constants import ConstantScope, evaluate_constant, first_values, printed_values
from runtime.state.default_counter import PrintedValues
from runtime.state.position import State
from runtime.state.record import Sheet, Value

NO_NAMES: Mapping[str, Value] = {}


def from_position(rules: graph.Graph, position: graph.Position, names: Mapping[str, Value] = NO_NAMES) -> State:
    """Return the state of a position. `names` binds those that occur in it, as columns of an example do."""
    return _add_position(State(rules, runtime_board(position.board)), position, names)


def from_position_on_card(rules: graph.Graph, position: graph.Position, names: Mapping[str, Value] = NO_NAMES) -> State:
    """Return the state of the graph's scenario, on an empty map where boards are missing, with a position added."""
    state = from_card(rules, complete=False)
    player = state.player
    _add_position(state, position, names)
    state.player = state.player or player
    return state


def _add_position(state: State, position: graph.Position, names: Mapping[str, Value]) -> State:
    """Add the pieces of a position to a state, and apply its settings."""
    board = state.board
    numbers = {piece.name: index for index, piece in enumerate(position.pieces, len(state.sheets))}
    scope = ConstantScope({**board.index, **numbers, **names}, state.frame.rank)
    place_pieces(state, position.pieces, scope)
    for key, value in position.facts:
        # Records in play are facts named `record.TYPE`, tracks of sides facts named `SIDE.TRACK`.
        if key.startswith("record."):
            change.write(state, evaluate_constant(value, scope))
        elif (owner := key.partition(".")[0]) not in ("game", "scenario"):
            change.set_track(state, f"side.{key.partition('.')[2]}", owner, evaluate_constant(value, scope))
        else:
            change.set_fact(state, key, evaluate_constant(value, scope))
    _set_hex_notes(state, position, scope)
    for relation, left, right, payload in position.pairs:
        payload_value = None if payload is None else evaluate_constant(payload, scope)
        change.relate(state, relation, numbers[left], numbers[right], payload_value)
    state.turn, state.player, state.phase = position.turn, position.player, position.phase
    state.last_serial = next(scope.serials)
    return state


def place_pieces(state: State, pieces: Sequence[graph.PieceAt], scope: ConstantScope) -> None:
    """Add pieces of a position, each in its place."""
    first = len(state.sheets)
    change.add_pieces(state, [_sheet_of(state, piece, scope) for piece in pieces])
    for index, piece in enumerate(pieces, first):
        if piece.at:
            change.move(state, index, state.board.index[piece.at], piece.place or change.OPEN)
        _set_notes(state, index, piece, scope)


def _sheet_of(state: State, piece: graph.PieceAt, scope: ConstantScope) -> Sheet:
    counter = state.graph.counters.get(piece.counter)
    traits = frozenset((*(counter.traits if counter else ()), *piece.traits))
    piece_values = {name: evaluate_constant(value, scope) for name, value in piece.printed}
    kind = state.graph.vocabulary.kinds[piece.kind]
    printed = (printed_values(counter, scope.rank) if counter else first_values(kind, scope)) | piece_values
    area = () if piece.area is None else evaluate_constant(piece.area, scope)
    arrives = 0 if piece.arrives is None else int(evaluate_constant(piece.arrives, scope))
    if any(each.name not in printed for each in kind.printed):
        printed = PrintedValues(piece.name, printed)
    return Sheet(piece.name, piece.kind, piece.counter, piece.owner, printed, traits, area=area, arrives=arrives)


def _set_hex_notes(state: State, described: graph.Position | graph.StartNotes, scope: ConstantScope) -> None:
    """Set the statuses and tracks with which a position or a card describes hexes."""
    index = state.board.index
    for hex_, status in described.hex_marks:
        change.mark(state, f"hex.{status}", index[hex_])
    for hex_, track, value in described.hex_tracks:
        change.set_track(state, f"hex.{track}", index[hex_], evaluate_constant(value, scope))


def _set_notes(state: State, index: int, described: graph.PieceAt | graph.Posted, scope: ConstantScope) -> None:
    """Set the statuses and tracks with which a position or a card describes a piece."""
    kind = state.sheets[index].kind
    for status in described.marks:
        change.mark(state, f"{kind}.{status}", index)
    for name, value in described.tracks:
        change.set_track(state, f"{kind}.{name}", index, evaluate_constant(value, scope))


def from_card(rules: graph.Graph, *, complete: bool = True) -> State:
    """Return the state of the graph's scenario: placed pieces on the board, others off it.

    Raises ValueError without a scenario, and for one that waits for boards, unless it need not be `complete`.
    """
    card = rules.scenario
    if card is None:
        raise ValueError("this stack has no scenario")
    if complete and card.waits_for:
        raise ValueError(f"{card.name} waits for its boards: {', '.join(card.waits_for)}")
    state = State(rules, runtime_board(card.board))
    scope = ConstantScope(state.board.index, state.frame.rank)
    state.facts |= {"scenario.turns": card.turns, "scenario.order": card.order, "scenario.set_up": card.set_up}
    for key, value in card.facts:
        change.set_fact(state, key, evaluate_constant(value, scope))
    sheets = [
        sheet for number, force in enumerate(card.forces) for sheet in pieces_of_force(rules, force, number, scope)
    ]
    change.add_pieces(state, sheets)
    placements = {number: list(force.placed) for number, force in enumerate(card.forces)}
    for piece, sheet in enumerate(state.sheets):
        placement = next((each for each in placements[sheet.force] if each.counter == sheet.counter), None)
        if placement:
            placements[sheet.force].remove(placement)
            change.move(state, piece, state.board.index[placement.at], placement.place or change.OPEN)
            _set_notes(state, piece, placement, scope)
    _set_hex_notes(state, card.notes, scope)
    for side, track, value in card.notes.side_tracks:
        change.set_track(state, f"side.{track}", side, evaluate_constant(value, scope))
    numbers = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    for relation, left, right in (pair for force in card.forces for pair in force.pairs):
        change.relate(state, relation, numbers[left], numbers[right])
    state.turn, state.player = 1, card.order[0] if card.order else ""
    return state


def pieces_of_force(rules: graph.Graph, force: graph.Force, number: int, scope: ConstantScope) -> Iterable[Sheet]:
    """Yield the pieces of a force."""
    area = tuple(sorted(scope.names[h] for h in force.area))
    for counter, name in list_roster(force, number):
        row = rules.counters[counter]
        printed = printed_values(row, scope.rank)
        yield Sheet(name, row.kind, counter, force.side, printed, frozenset(row.traits), number, area, force.turn)
