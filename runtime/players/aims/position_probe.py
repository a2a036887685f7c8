"""Probes: what a number comes to if a piece stood elsewhere, by asking the rules about positions that are made up.

In: a game, and amounts of its outcome. Out: which hexes change an amount for the pieces of a class, and by how much.
Pieces of one side, kind and traits are a class; the first one stands for all. All pieces of the card are taken off the
map first, so that what one piece contributes is seen alone.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import allow_members, budget_limit
from runtime.graph.call_graph import procedures_called, procedures_reached
from runtime.graph.closure import transitive_closure
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetStatus
from runtime.graph.read_sets import reads_of
from runtime.graph.slots import PositionSlot
from runtime.graph.steps import offered_actions, phases_of_sequence
from runtime.graph.walk import walk
from runtime.play.game import Game
from runtime.play.perform import perform_action
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.players.aims.outcome_amounts import OutcomeAmount
from runtime.players.orders import ACTION
from runtime.state import change
from runtime.state.position import OFF, State
from runtime.state.record import Value

# The work of a derivation, in budgets of a decision: many times that of the largest card.
DERIVATIONS = 100


def derivation_budget() -> AbstractContextManager[object]:
    """Return a context whose work is not charged to the decision before which it is done, as all games share it."""
    return allow_members(DERIVATIONS * budget_limit(), is_separate=True)


class PieceGroup(NamedTuple):
    """The pieces of one side, kind and traits."""

    side: str
    kind: str
    traits: tuple[str, ...]


class AmountGain(NamedTuple):
    """By how much a piece of a class changes an amount, by hex; `is_single`: a second piece there changes nothing.

    Of actions that change it: `actions`, by key, and `status`, what a piece must be marked with for one of them, as it
    must have the load that it lands.
    """

    by_hex: Mapping[int, float]
    is_single: bool
    status: str = ""
    actions: tuple[str, ...] = ()


class PositionProbe:
    """A position of a game with all pieces of the card off the map; `pieces` are these, by class."""

    def __init__(self, game: Game, sides: tuple[str, ...]) -> None:
        """Set the position up."""
        self.game = game.without_listeners()
        self.rules = game.graph
        self.sides = sides
        self.state = state = game.set_up()
        # The procedures that each phase may come to.
        self.reached_in_phase = {
            name: procedures_reached(self.rules, procedures_called(self.rules, walk(phase.body)))
            for name, phase in phases_of_sequence(self.rules).items()
        }
        self.pieces: dict[PieceGroup, list[int]] = {}
        for piece, sheet in enumerate(state.sheets):
            if sheet.force >= 0:
                change.move(state, piece, OFF)
                self.pieces.setdefault(group_of_piece(state, piece), []).append(piece)

    def value(self, amount: OutcomeAmount, position: State | None = None) -> float | None:
        """Return the value of an amount, here or in a position; None where it is no number or has no answer."""
        try:
            return float(self.game.evaluator.evaluate(position or self.state, amount.value, {}))
        except (Unanswered, TypeError, ValueError):
            return None

    @contextmanager
    def placed(self, piece: int, at: int) -> Iterator[None]:
        """Move a piece to a hex until the end of the block."""
        moved = change.move(self.state, piece, at)
        try:
            yield
        finally:
            change.undo(self.state, moved)

    def gains(self, amount: OutcomeAmount) -> dict[PieceGroup, AmountGain]:
        """Return how an amount changes if a piece of a class stands in a hex."""
        found = {}
        base = self.value(amount)
        for piece_group, pieces in self.pieces.items():
            by_hex = {} if base is None else self._gains_by_hex(amount, base, pieces[0])
            if by_hex:
                found[piece_group] = AmountGain(by_hex, self._is_single(amount, by_hex, pieces))
        return found

    def gains_of_actions(self, amount: OutcomeAmount) -> dict[PieceGroup, AmountGain]:
        """Return where a piece of a class can take an action that writes a number which an amount reads.

        An action that it can take on half of the map says nothing about where to go. One that it can take nowhere may
        need a status that another action gives it. One that leaves the amount as it is, since it writes the track of
        another side, is none.
        """
        types = {key: track.type for key, track in self.rules.vocabulary.tracks.items()}
        tracks = {slot for slot in self.tracks_read(amount) if isinstance(types.get(slot.name), graph.Number)}
        actions = [key for name in offered_actions(self.rules) if self._writes(key := f"{ACTION}{name}", tracks)]
        found = {}
        for piece_group in self.pieces:
            by_action = {action: self._hexes_of_action(action, piece_group) for action in actions}
            status = ""
            if not any(by_action.values()):
                status, action, hexes = self._open_by_status(actions, piece_group)
                by_action = {action: hexes}
            open_at = {}
            for action, hexes in by_action.items():
                if hexes and 2 * len(hexes) < self.state.board.size:
                    gain = self._gain_of_action(amount, action, piece_group, hexes[0], status)
                    open_at.update(dict.fromkeys(hexes, gain) if gain else {})
            if open_at:
                found[piece_group] = AmountGain(open_at, is_single=False, status=status, actions=tuple(actions))
        return found

    def _gain_of_action(
        self, amount: OutcomeAmount, action: str, piece_group: PieceGroup, at: int, status: str
    ) -> float:
        """Return by how much an action of a piece in a hex changes an amount; 1 where a trial of it does not tell."""
        piece = self.pieces[piece_group][0]
        trial = Playthrough(self.state.copy(), None)
        change.move(trial.state, piece, at)
        if status:
            change.mark(trial.state, status, piece)
        change.set_player(trial.state, piece_group.side)
        parameters = self.rules.procedures[action].parameters
        base = self.value(amount)
        try:
            perform_action(self.game, trial, action.removeprefix(ACTION), {each.name: piece for each in parameters})
        except (Unanswered, BrokenRules):
            return 1.0
        value = self.value(amount, trial.state)
        return 1.0 if base is None or value is None else value - base

    def hexes_of_marking(self, status: str, piece_group: PieceGroup) -> dict[str, list[int]]:
        """Return by action where a piece of a class can take one that marks it with a status."""
        by_action = {action: self._hexes_of_action(action, piece_group) for action in self._marking_actions(status)}
        return {action: hexes for action, hexes in by_action.items() if hexes}

    def _open_by_status(self, actions: list[str], piece_group: PieceGroup) -> tuple[str, str, list[int]]:
        """Return a status with which a piece can take one of some actions, the action, and where; "" for none."""
        flags, procedures = self.rules.vocabulary.flags, self.rules.procedures
        piece = self.pieces[piece_group][0]
        for action in actions:
            slots = reads_of(self.rules).reads_of_nodes(tuple(walk(procedures[action].body)))
            for status in sorted(slot.name for slot in slots if slot.sort == "status"):
                is_for_class = graph.Piece((flags[status].owner,)).admits(piece_group.kind)
                if not is_for_class or not self._marking_actions(status):
                    continue
                marked = change.mark(self.state, status, piece)
                hexes = self._hexes_of_action(action, piece_group)
                change.undo(self.state, marked)
                if hexes:
                    return status, action, hexes
        return "", "", []

    def _marking_actions(self, status: str) -> list[str]:
        """Return the keys of the actions that mark something with a status."""
        keys = [f"{ACTION}{name}" for name in offered_actions(self.rules)]
        return [
            key
            for key in keys
            if any(
                effect.on and f"{effect.owner}.{effect.name}" == status
                for effect in effects_in(self.rules.procedures[key].body, SetStatus)
            )
        ]

    def tracks_read(self, amount: OutcomeAmount) -> set[PositionSlot]:
        """Return the tracks that an amount reads, without the facts of the card, which play does not change."""
        slots = reads_of(self.rules).reads_of_nodes(tuple(walk(amount.value)))
        return {slot for slot in slots if slot.sort == "track" and not slot.name.startswith("scenario.")}

    def _writes(self, key: str, tracks: set[PositionSlot]) -> bool:
        """Return whether a procedure, or a resolution that it calls, writes one of some tracks."""
        procedures, writes = self.rules.procedures, reads_of(self.rules).slots.writes

        def resolutions_of(caller: str) -> list[str]:
            called = procedures_called(self.rules, procedures[caller].body)
            return [name for name in called if not name.startswith(ACTION)]

        steps = (step for each in transitive_closure([key], resolutions_of) for step in walk(procedures[each].body))
        return any(not tracks.isdisjoint(writes(step)) for step in steps)

    def _gains_by_hex(self, amount: OutcomeAmount, base: float, piece: int) -> dict[int, float]:
        found: dict[int, float] = {}
        for at in range(self.state.board.size):
            with self.placed(piece, at):
                value = self.value(amount)
            if value is not None and value != base:
                found[at] = value - base
        return found

    def _is_single(self, amount: OutcomeAmount, by_hex: Mapping[int, float], pieces: list[int]) -> bool:
        """Return whether a second piece of a class in the same hex changes nothing more."""
        if len(pieces) < 2:
            return False
        at = next(iter(by_hex))
        with self.placed(pieces[0], at):
            value = self.value(amount)
            with self.placed(pieces[1], at):
                return self.value(amount) == value

    def can_act(self, position: State, key: str, piece: int, side: str) -> bool:
        """Return whether a piece can take an action of which it is the only argument, or its first choice."""
        search = self.game.choices.searches[key]
        arguments: tuple[Value, ...] = (piece,) if search.head.program.procedure.parameters else ()
        try:
            return search.is_open(position, arguments, side)
        except Unanswered:
            return False

    def _hexes_of_action(self, key: str, piece_group: PieceGroup) -> list[int]:
        """Return where a piece can take an action of which it is the only argument, or its first choice."""
        piece = self.pieces[piece_group][0]
        parameters = self.game.choices.searches[key].head.program.procedure.parameters
        if len(parameters) > 1 or not all(admits_piece(parameter.type, piece_group) for parameter in parameters):
            return []
        found = []
        with self.acting(piece_group.side, key):
            for at in range(self.state.board.size):
                with self.placed(piece, at):
                    if self.can_act(self.state, key, piece, piece_group.side):
                        found.append(at)
        return found

    @contextmanager
    def acting(self, side: str, key: str) -> Iterator[None]:
        """Set the side on move, and the phase in which an action is offered, until the end of the block."""
        events = [change.set_player(self.state, side)]
        phase = next((name for name, reached in self.reached_in_phase.items() if key in reached), None)
        if phase is not None:
            events.append(change.set_phase(self.state, phase))
        try:
            yield
        finally:
            for event in reversed(events):
                change.undo(self.state, event)


def admits_piece(type_: graph.Type, piece_group: PieceGroup) -> bool:
    """Return whether a piece of a class is a value of a type."""
    return isinstance(type_, graph.Piece) and type_.admits(piece_group.kind)


def group_of_piece(state: State, piece: int) -> PieceGroup:
    """Return the class of a piece."""
    return PieceGroup(state.side[piece], state.kind[piece], tuple(sorted(state.traits[piece])))
