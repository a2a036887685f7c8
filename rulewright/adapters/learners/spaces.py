"""The spaces of an environment: options as indices of a mask, positions as vectors.

In: a game. Out: a `SpaceLayout`, which is the same for every game of a card. Numbers denote: end, stop, each
action, each hex, each piece (with a reserve for pieces created in play), and then, by index, other candidates: colors,
numbers, records, an action offered twice.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from runtime.graph import nodes as graph
from runtime.graph.steps import phases_of_sequence
from runtime.play.game import FinishedGame, Game
from runtime.play.options import END, PICK, STOP, TAKE, Decision, Option
from runtime.play.playthrough import Playthrough
from runtime.state.position import GONE

# The reserve for pieces created in play, and for options by index: further ones share the last numbers.
MADE = 64
OTHERS = 64


class SpaceLayout:
    """The meaning of the numbers of actions, and of the elements of observations."""

    def __init__(self, game: Game) -> None:
        """Compute the layout of a game."""
        state = game.set_up()
        self.programs = game.programs.entries
        card = game.graph.scenario
        assert card
        self.sides = card.order
        self.turns = max(1, card.turns)
        self.hexes = state.board.size
        self.pieces = len(state.sheets) + MADE
        self.columns = max(1, *state.board.column)
        self.rows = max(1, *state.board.row)
        flags = game.graph.vocabulary.flags
        self.marks = sorted(key for key, flag in flags.items() if flag.what == "status")
        self.phases = sorted(phases_of_sequence(game.graph))
        self.actions = sorted(key.partition(":")[2] for key in game.programs.entries if key.startswith("action:"))
        self.end, self.stop, self.first_action = 0, 1, 2
        self.first_hex = self.first_action + len(self.actions)
        self.first_piece = self.first_hex + self.hexes
        self.first_other = self.first_piece + self.pieces
        self.size = self.first_other + OTHERS
        self.piece_width = 4 + len(self.sides) + len(self.marks)
        self.width = (
            1
            + 2 * len(self.sides)
            + len(self.phases)
            + len(self.actions)
            + self.hexes
            + self.pieces * (self.piece_width + 1)
        )

    def numbered_options(self, decision: Decision) -> Iterator[tuple[int, int]]:
        """Yield the options of a decision as (number, index)."""
        return self.distinct_numbers(self.option_number(decision, option) for option in decision.options)

    def distinct_numbers(self, preferred_numbers: Iterable[int | None]) -> Iterator[tuple[int, int]]:
        """Yield a unique number for each option, with its index: the wanted one, or the next free one if taken."""
        used_numbers: set[int] = set()
        for index, preferred in enumerate(preferred_numbers):
            number = preferred
            if number is None or number in used_numbers:
                free = (n for n in (*range(self.first_other, self.size), *range(self.size)) if n not in used_numbers)
                number = next(free)
            used_numbers.add(number)
            yield number, index

    def option_number(self, decision: Decision, option: Option) -> int | None:
        """Return the fixed number of an option; None if it has none."""
        match option.kind:
            case _ if option.kind == END:
                return self.end
            case _ if option.kind == STOP:
                return self.stop
            case _ if option.kind == TAKE:
                return self.first_action + self.actions.index(option.name)
            case _:
                assert option.kind == PICK
        if isinstance(decision.member, graph.Hex):
            return self.first_hex + int(option.value)
        if isinstance(decision.member, graph.Piece) and option.value < self.pieces:
            return self.first_piece + int(option.value)
        return None

    def legal_mask(self, legal: Iterable[int]) -> Any:
        """Return the mask of legal numbers, of shape (size,)."""
        mask = np.zeros(self.size, np.int8)
        mask[list(legal)] = 1
        return mask

    def observation_vector(self, playthrough: Playthrough, decision: Decision | FinishedGame, agent: str) -> Any:
        """Return what a side may know as a vector: the clock, the question, the places and marks of pieces."""
        state = playthrough.state
        phase = [float(state.phase == phase) for phase in self.phases]
        question_words = (
            decision.question.replace(",", " ").replace(".", " ").split() if isinstance(decision, Decision) else []
        )
        chosen = self.chosen_numbers(playthrough, decision, agent)
        head = [
            min(1.0, state.turn / self.turns),
            *(float(side == agent) for side in self.sides),
            *(float(isinstance(decision, Decision) and side == decision.side) for side in self.sides),
            *phase,
            *(float(action in question_words) for action in self.actions),
        ]
        board = np.zeros(self.hexes, np.float32)
        board[[number - self.first_hex for number in chosen if self.first_hex <= number < self.first_piece]] = 1.0
        pieces = np.zeros((self.pieces, self.piece_width + 1), np.float32)
        for piece in range(min(len(state.sheets), self.pieces)):
            h = state.hex[piece]
            pieces[piece, 0], pieces[piece, 1] = float(h >= 0), float(h == GONE)
            if h >= 0:
                pieces[piece, 2] = state.board.column[h] / self.columns
                pieces[piece, 3] = state.board.row[h] / self.rows
            if state.side[piece] in self.sides:
                pieces[piece, 4 + self.sides.index(state.side[piece])] = 1.0
            for index, key in enumerate(self.marks, 4 + len(self.sides)):
                if key.partition(".")[0] == state.kind[piece] and piece in state.marks[key]:
                    pieces[piece, index] = 1.0
            pieces[piece, self.piece_width] = float(self.first_piece + piece in chosen)
        return np.concatenate([np.array(head, np.float32), board, pieces.reshape(-1)])

    def chosen_numbers(self, playthrough: Playthrough, decision: Decision | FinishedGame, agent: str) -> set[int]:
        """Return the numbers of the hexes and pieces chosen in running procedures, if the agent has the decision."""
        found: set[int] = set()
        if not isinstance(decision, Decision) or decision.side != agent:
            return found
        for call in playthrough.calls:
            program = self.programs[call.key]
            for step, member in program.choices():
                if step.name not in call.names:
                    continue
                values = call.names[step.name] if step.how else (call.names[step.name],)
                first = {graph.Hex: self.first_hex, graph.Piece: self.first_piece}.get(type(member))
                found |= set() if first is None else {first + value for value in values}
        return found
