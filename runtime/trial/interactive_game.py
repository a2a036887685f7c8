"""A game that is written down while it is played: choices made, taken back, and taken up again.

In: a game, its playthrough, and a place for lines. A choice is written, and the writer has returned, before
the game goes on: what happened can always be shown, even if the process ends in the middle.

A side may take back its own last choice where that gives it nothing to know: no die was thrown since,
the phase is the same, nobody else has chosen, and nothing that came of it depended on what the
others keep secret.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from runtime.answer.answer import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.play.choices import Decision
from runtime.play.game import FinishedGame, Game
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.digest import digest
from runtime.state.visibility import view_of_side
from runtime.trial.entries import choice_entry, heading_entry, result_entry
from runtime.trial.nodes import Choice, Undo
from runtime.trial.trial_lines import to_line

Write = Callable[[str], None]


def no_log(_: str) -> None:
    """Write nothing down."""


class TakenChoice(NamedTuple):
    """A choice that was made: by whom, which option, and how many dice had been thrown."""

    side: str
    option: int
    thrown: int


class InteractiveGame:
    """A game, its playthrough, and the choices made in it, the last of which can be taken back."""

    __slots__ = ("game", "made", "playthrough", "write")

    def __init__(self, game: Game, playthrough: Playthrough, write: Write = no_log) -> None:
        """Begin with a playthrough that nobody has chosen in yet."""
        self.game = game
        self.playthrough = playthrough
        self.write = write
        self.made: list[TakenChoice] = []

    def write_heading(self, names: Mapping[str, str], seed: str) -> None:
        """Write down what is played."""
        self.write(to_line(heading_entry(self.game, names, seed)))

    def ask(self) -> Decision | FinishedGame:
        """Run to the next decision, or to the end. Asking twice changes nothing."""
        with self._undone_if_broken():
            return self.game.advance(self.playthrough)

    def choice_line(self, decision: Decision, index: int) -> Choice:
        """Return what would be written of a choice."""
        return choice_entry(self.game, self.playthrough, decision, index, self.dice_before())

    def dice_before(self) -> int:
        """Count the dice that were thrown before the last choice: those are written down."""
        return self.made[-1].thrown if self.made else 0

    def choose(self, decision: Decision, index: int) -> None:
        """Write a choice down, then make it."""
        self.write(to_line(self.choice_line(decision, index)))
        with self._undone_if_broken():
            self.make_choice(decision, index)

    @contextmanager
    def _undone_if_broken(self) -> Iterator[None]:
        """Take back a choice after which the rules cannot go on: else the game could not be taken up again."""
        try:
            yield
        except (BrokenRules, TooMuchWork):
            if self.made:
                self.undo()
            raise

    def make_choice(self, decision: Decision, index: int) -> None:
        """Make a choice that is written down already."""
        self.made.append(TakenChoice(decision.side, index, len(self.playthrough.dice)))
        self.game.apply(self.playthrough, decision, index)

    def close(self, end: FinishedGame) -> None:
        """Write the result down."""
        self.write(to_line(result_entry(self.playthrough, end, self.dice_before())))

    def undo(self) -> None:
        """Write down that the last choice is taken back, then take it back. Ask `bar` first."""
        self.write(to_line(Undo(self.playthrough.choices - 1)))
        self.made.pop()
        self.playthrough.undo()

    def undo_refusal(self, side: str) -> str:
        """Explain why a side may not take back the last choice; "" if it may."""
        playthrough = self.playthrough
        if not self.made:
            return "nothing has been chosen yet"
        mark = playthrough.checkpoints[-1]
        if self.made[-1].side != side:
            return f"the last choice was {self.made[-1].side}'s"
        if len(playthrough.dice) > mark.dice:
            return "a die has been thrown since"
        if any(event.what == "clock" for event in playthrough.journal[mark.events :]):
            return "that was in another phase"
        if not self._same_for_all(side):
            return "it has shown something that was secret"
        return ""

    def _same_for_all(self, side: str) -> bool:
        """Return whether the last choice led where it would have led without the secrets of the others."""
        game, playthrough = self.game, self.playthrough
        if not game.choices.secret:
            return True
        now = game.advance(playthrough)
        before = playthrough.copy()
        before.undo()
        made = game.advance(before)
        before.state = view_of_side(before.state, side)
        try:
            asked = game.advance(before)
            if asked != made or not isinstance(asked, Decision):
                return False
            game.apply(before, asked, self.made[-1].option)
            then = game.advance(before)
        except (BrokenRules, Unanswered):
            return False
        return now == then and digest(before.state) == digest(view_of_side(playthrough.state, side))
