"""The loop of a game with a player at the terminal.

In: an interactive game, the players by side, and a `Console`. Out: the finished game, or None if it was left.
Every choice is made by the interactive game, which writes it to the disk first (write-ahead logging).
"""

from collections.abc import Collection
from pathlib import Path

from rich.rule import Rule

from rulewright.atomic_files import save_new
from rulewright.table.chart import draw_chart
from rulewright.table.dialog import LEAVE, Console, Dialog, SaveFunction
from rulewright.table.journal_text import events_text, shortened_lines
from rulewright.table.player_requests import AutoCommand, LeaveCommand, TakeOptions, UndoCommand
from rulewright.views.picture import phase_title
from runtime.graph import words
from runtime.play.game import FinishedGame
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import Seats, as_seen, choose_option
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.record import finish_phase


class GameDisplay:
    """The display of a game: which events have been shown, and to which side."""

    def __init__(
        self, interactive: InteractiveGame, humans: Collection[str], console: Console, save: SaveFunction
    ) -> None:
        """Start with all previous events as shown."""
        self.interactive = interactive
        self.humans = humans
        self.console = console
        self.dialog = Dialog(interactive, console, save)
        self.shown_counts = (len(interactive.playthrough.journal), len(interactive.playthrough.dice))
        # The events that each side has seen on a screen that was cleared for the next player.
        self.counts_by_side = dict.fromkeys(humans, self.shown_counts)
        self.clock: tuple[int, str, str] | None = None
        self.side = ""
        self.lines: list[int] = []  # The number of choices before each typed line.
        self.moved = False  # Whether a policy has chosen since the map was drawn.

    def play(self, seats: Seats) -> FinishedGame | None:
        """Run the game to its end; None if a player leaves it."""
        game, playthrough = self.interactive.game, self.interactive.playthrough
        while isinstance(decision := self.interactive.ask(), Decision):
            if decision.side not in self.humans:
                self.interactive.choose(decision, choose_option(game, playthrough, decision, seats))
                self.moved = True
                continue
            if decision.side != self.side and not self.hand_over(decision.side):
                return None
            self.show_decision(decision)
            match self.dialog.ask(decision):
                case TakeOptions(options):
                    self.lines.append(playthrough.choice_count)
                    for option in options:
                        next_decision = self.interactive.ask()
                        assert isinstance(next_decision, Decision)
                        self.interactive.choose(next_decision, option)
                case UndoCommand():
                    self.undo(decision.side)
                case AutoCommand():
                    finish_phase(self.interactive, decision.side)
                case LeaveCommand():
                    return None
        self.show_events()
        self.interactive.close(decision)
        return decision

    def undo(self, side: str) -> None:
        """Undo the choices of the last line, as far as undo is not refused; at least one choice may be undone."""
        playthrough = self.interactive.playthrough
        self.interactive.undo_to(self.lines.pop() if self.lines else playthrough.choice_count - 1, side)
        self.shown_counts = (
            min(self.shown_counts[0], len(playthrough.journal)),
            min(self.shown_counts[1], len(playthrough.dice)),
        )
        self.console.say("undone")

    def show_decision(self, decision: Decision) -> None:
        """Print the events since the last prompt, the heading of a new phase, and the map after moves of others."""
        playthrough = self.interactive.playthrough
        before = self.shown_counts
        self.show_events(decision.side)
        clock = (playthrough.state.turn, playthrough.state.player, playthrough.state.phase)
        if clock == self.clock and decision.side == self.side:
            return
        fresh = self.clock is None or self.moved or decision.side != self.side
        # The events of a phase include those of other sides since the last prompt, and those before a game was left.
        self.dialog.since = before if self.clock else (_phase_start(playthrough), self.shown_counts[1])
        self.clock, self.side, self.moved = clock, decision.side, False
        phase = f", {phase_title(playthrough.state)}" if clock[2] else ""
        player = words.member("side", clock[1], playthrough.state.graph.vocabulary)
        self.console.say(Rule(f"turn {clock[0]}, {player}{phase}", align="left"))
        if fresh:
            self.console.say(
                draw_chart(as_seen(self.interactive.game, playthrough, decision.side).state, self.console.width)
            )

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
        line = self.console.read_line(f"hand over to {title}, and press Enter: ", ())
        if line is None or line.strip().lower() == LEAVE:
            return False
        self.shown_counts = self.counts_by_side[side]
        return True

    def show_events(self, reader: str = "") -> None:
        """Print the new events as a side may know them; without a reader, as all sides may."""
        playthrough = self.interactive.playthrough
        for line in shortened_lines(events_text(playthrough, *self.shown_counts, reader=reader)):
            self.console.say(f"  {line}")
        self.shown_counts = (len(playthrough.journal), len(playthrough.dice))


def _phase_start(playthrough: Playthrough) -> int:
    """Return the index in the journal at which the last phase with an event begins."""
    last = max((index for index, event in enumerate(playthrough.journal) if event.kind != "clock"), default=0)
    return max(
        (index + 1 for index, event in enumerate(playthrough.journal[:last]) if event.kind == "clock"), default=0
    )


def copy_to(journal: Path, file: Path) -> None:
    """Copy the journal of a game to a new file; an existing file is not overwritten."""
    save_new(file, journal.read_bytes())
