"""The distances of hexes from others by the steps that the rules allow a piece on an empty map.

In: a probe. Out: for a class of pieces, the number of steps from each
hex to the nearest of some hexes. A step is a hex that can be chosen as the destination of a move. Where no step can be
found, as in a game in which moving takes orders that nobody has at the start, distances on the map count instead.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.play.completion_search import CompletionSearch
from runtime.play.playthrough import Names
from runtime.players.aims.position_probe import PieceGroup, PositionProbe, admits_piece, derivation_budget
from runtime.players.orders import ACTION, movements_of

UNREACHABLE = 99  # The distance of hexes without a way.


class PieceDistanceTable:
    """The distances on one map, by class of pieces, computed on demand."""

    def __init__(self, probe: PositionProbe) -> None:
        """Collect the actions that move a piece which is their argument or their own choice."""
        self.probe = probe
        entries = probe.game.programs.entries
        # The action, and the names of its destination and of the piece.
        self.moves = [
            (key, destination, mover)
            for key, movement in movements_of(entries).items()
            for destination, mover in movement.mover.items()
            if key.startswith(ACTION) and entries[key].parameters in ((), (mover,))
        ]
        self._origins: dict[PieceGroup, list[list[int]]] = {}
        self._rows: dict[tuple[PieceGroup, tuple[int, ...]], tuple[int, ...]] = {}

    def row(self, piece_group: PieceGroup, goal: tuple[int, ...]) -> tuple[int, ...]:
        """Return the distance of each hex from the nearest hex of a goal; `UNREACHABLE` without a way."""
        key = piece_group, goal
        if key not in self._rows:
            self._rows[key] = self._computed_row(piece_group, goal)
        return self._rows[key]

    def _computed_row(self, piece_group: PieceGroup, goal: tuple[int, ...]) -> tuple[int, ...]:
        """Return the distances by a breadth-first search from the goal."""
        board = self.probe.state.board
        if piece_group not in self._origins:
            try:
                with derivation_budget():
                    self._origins[piece_group] = self._origins_of(piece_group)
            except TooMuchWork:
                self._origins[piece_group] = [[] for _ in range(board.size)]
        origins = self._origins[piece_group]
        if not any(origins):
            return tuple(min(board.distance(at, end) for end in goal) for at in range(board.size))
        row = [UNREACHABLE] * board.size
        for end in goal:
            row[end] = 0
        reached = list(goal)
        for at in reached:
            for origin in origins[at]:
                if row[origin] == UNREACHABLE:
                    row[origin] = row[at] + 1
                    reached.append(origin)
        return tuple(row)

    def _origins_of(self, piece_group: PieceGroup) -> list[list[int]]:
        """Return for each hex those from which a piece can step there."""
        size = self.probe.state.board.size
        origins: list[set[int]] = [set() for _ in range(size)]
        piece = self.probe.pieces[piece_group][0]
        for key, destination, mover in self.moves:
            search = self.probe.game.choices.searches[key]
            if not all(
                admits_piece(parameter.type, piece_group) for parameter in search.head.program.procedure.parameters
            ):
                continue
            with self.probe.acting(piece_group.side, key):
                for at in range(size):
                    with self.probe.placed(piece, at):
                        for to in self._choosable(search, destination, mover, piece, piece_group.side):
                            origins[to].add(at)
        return [sorted(found) for found in origins]

    def _choosable(
        self, search: CompletionSearch, destination: str, mover: str, piece: int, side: str
    ) -> Iterator[int]:
        """Yield the hexes that can be chosen as a destination in the head of an action, with the piece as mover."""
        program, evaluate, state = search.head.program, self.probe.game.evaluator.evaluate, self.probe.state
        names: Names = program.bind_parameters((piece,) if program.parameters else (), side)
        choice_count = 0
        try:
            for step in search.head.steps:
                match step:
                    case graph.Let():
                        names[step.name] = evaluate(state, step.value, names)
                    case graph.Legal():
                        if not evaluate(state, step.condition, names):
                            return
                    case graph.Choose():
                        members = evaluate(state, step.source, names)
                        choice_count += 1
                        if step.name == destination:
                            for member in members:
                                if search.can_complete(state, choice_count, {**names, destination: member}):
                                    yield member
                            return
                        if step.how or step.name != mover or piece not in members:
                            return
                        names[mover] = piece
        except Unanswered:
            return
