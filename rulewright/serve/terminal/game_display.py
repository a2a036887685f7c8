"""A game with a player at the terminal: a numbered list of what is open, why something is not, and undo.

In: an interactive game, the players by side, and a `Console`. Out: the finished game, or None if it was left.
Every choice is made by the interactive game, which writes it to the disk first (write-ahead logging).
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from rich.console import RenderableType
from rich.rule import Rule

from rulewright.explain.journal_text import events_text, shortened_lines
from rulewright.explain.open_option_blocks import why_blocks
from rulewright.explain.option_lines import decision_question
from rulewright.explain.preview_blocks import preview_blocks, preview_of
from rulewright.explain.views.chart import draw_chart
from rulewright.explain.views.picture import phase_title
from rulewright.explain.why_not import without_stop_words
from rulewright.serve.terminal.numbered_options import numbered_options
from rulewright.system.errors import UsageError
from runtime.answer.value_text import with_space_noun
from runtime.graph import words
from runtime.graph.document_text import blocks_text
from runtime.play.game import FinishedGame
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import Seats, as_seen, choose_option
from runtime.trial.interactive_game import InteractiveGame

UNDO, WHY, LEAVE, NO = "undo", "why", "quit", ("n", "no")
USAGE = "type the number of an option, `why PIECE HEX` for what is not open, `undo`, or `quit`; Enter lists the options"


class Console(Protocol):
    """A screen and a keyboard."""

    @property
    def width(self) -> int:
        """Return the number of columns of the screen."""

    def say(self, content: RenderableType) -> None:
        """Print a text."""

    def read_line(self, prompt: str) -> str | None:
        """Read a line; None at the end of input."""

    def clear_screen(self) -> None:
        """Clear the screen."""


class GameDisplay:
    """The display of a game: which events have been shown, and to which side."""

    def __init__(self, interactive: InteractiveGame, humans: Collection[str], console: Console) -> None:
        """Start with all previous events as shown."""
        self.interactive = interactive
        self.humans = humans
        self.console = console
        self.shown_counts = (len(self.playthrough.journal), len(self.playthrough.dice))
        # The events that each side has seen on a screen that was cleared for the next player.
        self.counts_by_side = dict.fromkeys(humans, self.shown_counts)
        self.clock: tuple[int, str, str] | None = None
        self.side = ""
        self.moved = False  # Whether a policy has chosen since the map was drawn.

    @property
    def playthrough(self) -> Playthrough:
        """Return the complete playthrough; a side is shown only what it may see of it."""
        return self.interactive.playthrough

    def play(self, seats: Seats) -> FinishedGame | None:
        """Run the game to its end; None if a player leaves it."""
        game = self.interactive.game
        while isinstance(decision := self.interactive.ask(), Decision):
            if decision.side not in self.humans:
                self.interactive.choose(decision, choose_option(game, self.playthrough, decision, seats))
                self.moved = True
                continue
            if decision.side != self.side and not self.hand_over(decision.side):
                return None
            self.show_decision(decision)
            if not self.ask(decision):
                return None
        self.show_events()
        self.interactive.close(decision)
        return decision

    def ask(self, decision: Decision) -> bool:
        """Prompt until the player takes an option or undoes the last choice; return False if the game is left."""
        self.show_options(decision)
        while (line := self.console.read_line(prompt(self.playthrough, decision))) is not None:
            command, *rest = line.lower().split() or [""]
            if command == LEAVE:
                return False
            if command == UNDO and self.undo(decision.side):
                return True
            if command.isdecimal() and not rest and self.take(decision, int(command) - 1):
                return True
            if command == WHY:
                self.explain(decision, line.split()[1:])
            elif not command:
                self.show_options(decision)
            elif command != UNDO and not (command.isdecimal() and not rest):
                self.console.say(with_space_noun(self.playthrough.state, USAGE))
        return False

    def show_options(self, decision: Decision) -> None:
        """Print the question and the open options."""
        game = self.interactive.game
        question = decision_question(game, self.playthrough, decision)
        self.console.say(f"\n{side_title(self.playthrough, decision)}: {question}")
        for line in numbered_options(game, self.playthrough, decision):
            self.console.say(line)

    def take(self, decision: Decision, index: int) -> bool:
        """Apply an option, after its preview if it throws dice or has an account; return whether it is applied."""
        if not 0 <= index < len(decision.options):
            self.console.say(f"the options have the numbers 1 to {len(decision.options)}")
            return False
        preview = preview_of(self.interactive.game, self.playthrough, [index])
        if preview is not None and (blocks := preview_blocks(preview)):
            self.console.say(blocks_text(blocks))
            question = "throw the dice?" if preview.throws else "do it?"
            answer = self.console.read_line(f"{question} (Enter: yes, n: no) ")
            if answer is None or answer.strip().lower() in NO:
                self.console.say("nothing is done")
                return False
        self.interactive.choose(decision, index)
        return True

    def explain(self, decision: Decision, typed: Sequence[str]) -> None:
        """Print why something is not open."""
        game, state = self.interactive.game, self.playthrough.state
        names = without_stop_words(game, state, typed)
        if not names:
            self.console.say(with_space_noun(state, "why what? For example `why PIECE HEX`"))
            return
        try:
            self.console.say(blocks_text(why_blocks(game, self.playthrough, decision, names), closed=""))
        except UsageError as problem:
            self.console.say(str(problem))

    def undo(self, side: str) -> bool:
        """Undo the last choice; return False, and print why, if that is refused."""
        refusal = self.interactive.undo_refusal(side)
        if refusal:
            self.console.say(f"this cannot be undone: {refusal}")
            return False
        self.interactive.undo_to(self.playthrough.choice_count - 1, side)
        events, dice = self.shown_counts
        self.shown_counts = (min(events, len(self.playthrough.journal)), min(dice, len(self.playthrough.dice)))
        self.console.say("undone")
        return True

    def show_decision(self, decision: Decision) -> None:
        """Print the events since the last prompt, the heading of a new phase, and the map after moves of others."""
        state = self.playthrough.state
        self.show_events(decision.side)
        clock = (state.turn, state.player, state.phase)
        if clock == self.clock and decision.side == self.side:
            return
        is_map_old = self.clock is None or self.moved or decision.side != self.side
        self.clock, self.side, self.moved = clock, decision.side, False
        phase = f", {phase_title(state)}" if state.phase else ""
        player = words.member("side", state.player, state.graph.vocabulary)
        self.console.say(Rule(f"turn {state.turn}, {player}{phase}", align="left"))
        if is_map_old:
            seen = as_seen(self.interactive.game, self.playthrough, decision.side)
            self.console.say(draw_chart(seen.state, self.console.width))

    def hand_over(self, side: str) -> bool:
        """Clear the screen and prompt for the next player, in a game with secrets and several human players.

        The first player of a game, or of one that is continued, is prompted too: another may sit at the terminal, and
        the screen may show what was typed before. The next player has not seen what happened meanwhile. Return whether
        a player pressed Enter: after `quit`, an interrupt, or the end of input nothing secret is shown.
        """
        game = self.interactive.game
        if not game.choices.secret or len(self.humans) <= 1:
            return True
        if self.side:
            self.counts_by_side[self.side] = self.shown_counts
        self.console.clear_screen()
        title = words.member("side", side, game.graph.vocabulary)
        line = self.console.read_line(f"hand over to {title}, and press Enter: ")
        if line is None or line.strip().lower() == LEAVE:
            return False
        self.shown_counts = self.counts_by_side[side]
        return True

    def show_events(self, reader: str = "") -> None:
        """Print the new events as a side may know them; without a reader, as all sides may."""
        for line in shortened_lines(events_text(self.playthrough, *self.shown_counts, reader=reader)):
            self.console.say(f"  {line}")
        self.shown_counts = (len(self.playthrough.journal), len(self.playthrough.dice))


def prompt(playthrough: Playthrough, decision: Decision) -> str:
    """Return the prompt, with turn, phase and side."""
    phase = phase_title(playthrough.state) or "before the first phase"
    return f"turn {playthrough.state.turn}, {phase}, {side_title(playthrough, decision)}> "


def side_title(playthrough: Playthrough, decision: Decision) -> str:
    """Return the title of the side of a decision."""
    return words.member("side", decision.side, playthrough.state.graph.vocabulary)
