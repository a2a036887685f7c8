"""A game that is recorded while it is played, with undo and resumption.

The input is a game, its playthrough, and a sink for lines. A choice is written, and the writer has returned, before the
game continues: the record is complete even if the process ends in the middle.

A side may take back its own last choice if that reveals nothing to it: no die was thrown since, the phase is the same,
no other side has chosen, and no consequence depended on the secrets of the others.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.digest import state_digest
from runtime.state.visibility import view_of_side
from runtime.trial.entries import choice_entry, heading_entry, result_entry
from runtime.trial.nodes import Choice, Undo
from runtime.trial.trial_lines import to_line

Write = Callable[[str], None]


def discard_line(_: str) -> None:
    """Discard a line."""


class _TakenChoice(NamedTuple):
    """A choice that was made: the side, the option, and the number of dice thrown before."""

    side: str
    option: int
    thrown: int


class InteractiveGame:
    """A game, its playthrough, and the choices made in it, the last of which can be taken back."""

    __slots__ = ("game", "playthrough", "taken_choices", "write_line")

    def __init__(self, game: Game, playthrough: Playthrough, write: Write = discard_line) -> None:
        """Start with a playthrough without choices."""
        self.game = game
        self.playthrough = playthrough
        self.write_line = write
        self.taken_choices: list[_TakenChoice] = []

    def write_heading(self, names: Mapping[str, str], seed: str) -> None:
        """Write the heading."""
        self.write_line(to_line(heading_entry(self.game, names, seed)))

    def ask(self) -> Decision | FinishedGame:
        """Return the next decision, or the end, after running to it; idempotent."""
        with self._undone_if_broken():
            return self.game.advance(self.playthrough)

    def choice_line(self, decision: Decision, index: int) -> Choice:
        """Return the line of a choice."""
        return choice_entry(self.game, self.playthrough, decision, index, self.dice_before())

    def dice_before(self) -> int:
        """Return the number of dice thrown before the last choice, which are already recorded."""
        return self.taken_choices[-1].thrown if self.taken_choices else 0

    def choose(self, decision: Decision, index: int) -> None:
        """Write a choice, then make it."""
        self.write_line(to_line(self.choice_line(decision, index)))
        with self._undone_if_broken():
            self.make_choice(decision, index)

    @contextmanager
    def _undone_if_broken(self) -> Iterator[None]:
        """Undo a choice after which the rules fail: otherwise the game could not be resumed."""
        try:
            yield
        except (BrokenRules, TooMuchWork):
            if self.taken_choices:
                self.undo()
            raise

    def make_choice(self, decision: Decision, index: int) -> None:
        """Apply a choice that is already written."""
        self.taken_choices.append(_TakenChoice(decision.side, index, len(self.playthrough.dice)))
        self.game.apply(self.playthrough, decision, index)

    def close(self, end: FinishedGame) -> None:
        """Write the result."""
        self.write_line(to_line(result_entry(self.playthrough, end, self.dice_before())))

    def undo(self) -> None:
        """Write that the last choice is taken back, then take it back. Check `undo_refusal` first."""
        self.write_line(to_line(Undo(self.playthrough.choice_count - 1)))
        self.taken_choices.pop()
        self.playthrough.undo()

    def undo_to(self, choice_count: int, side: str) -> None:
        """Undo the last choice, and those before it down to a number of choices, as far as that is not refused."""
        self.undo()
        while self.playthrough.choice_count > choice_count and self.ask() and not self.undo_refusal(side):
            self.undo()

    def undo_refusal(self, side: str) -> str:
        """Return why a side may not take back the last choice; "" if it may."""
        playthrough = self.playthrough
        if not self.taken_choices:
            return "nothing has been chosen yet"
        mark = playthrough.checkpoints[-1]
        if self.taken_choices[-1].side != side:
            return f"the last choice was {self.taken_choices[-1].side}'s"
        if len(playthrough.dice) > mark.dice:
            return "a die has been thrown since"
        if any(event.kind == "clock" for event in playthrough.journal[mark.events :]):
            return "that was in another phase"
        if not self._same_for_all(side):
            return "it has shown something that was secret"
        return ""

    def _same_for_all(self, side: str) -> bool:
        """Return whether the last choice would have had the same result without the secrets of the others."""
        game, playthrough = self.game, self.playthrough
        if not game.choices.secret:
            return True
        current_decision = game.advance(playthrough)
        before = playthrough.copy()
        before.undo()
        previous_decision = game.advance(before)
        before.state = view_of_side(before.state, side)
        try:
            previous_in_view = game.advance(before)
            if previous_in_view != previous_decision or not isinstance(previous_in_view, Decision):
                return False
            game.apply(before, previous_in_view, self.taken_choices[-1].option)
            current_in_view = game.advance(before)
        except (BrokenRules, Unanswered):
            return False
        return current_decision == current_in_view and state_digest(before.state) == state_digest(
            view_of_side(playthrough.state, side)
        )
