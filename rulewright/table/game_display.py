"""A game with a player at the terminal, from the first question to the last, or until it is left.

In: an interactive game, who plays which side, and a `Console`. Out: the end of the game, or None if it was left. Every
choice goes through the interactive game, which has it on the disk before it is made.
"""

from collections.abc import Collection
from pathlib import Path

from rich.rule import Rule

from rulewright.atomic_files import save_new
from rulewright.table.chart import draw_chart
from rulewright.table.dialog import AutoCommand, Console, Dialog, LeaveCommand, Save, TakeOptions, UndoCommand
from rulewright.table.journal_text import events_text, shortened_lines
from runtime.graph import words
from runtime.play.choices import Decision
from runtime.play.dice import Stream
from runtime.play.game import FinishedGame
from runtime.play.playthrough import Playthrough
from runtime.players.greedy import greedy_option
from runtime.players.player import Seat, Seats, as_seen, choose_option
from runtime.trial.interactive_game import InteractiveGame


class GameDisplay:
    """The display of a game: how much of it has been shown, and to which side."""

    def __init__(self, interactive: InteractiveGame, humans: Collection[str], console: Console, save: Save) -> None:
        """Nothing has been shown yet."""
        self.interactive = interactive
        self.humans = humans
        self.console = console
        self.dialog = Dialog(interactive, console, save)
        self.shown = (len(interactive.playthrough.journal), len(interactive.playthrough.dice))
        self.clock: tuple[int, str, str] | None = None
        self.side = ""
        self.lines: list[int] = []  # How many choices had been made before each line that was typed.
        self.moved = False  # Whether a player that is no person has chosen since the map was drawn.

    def play(self, seats: Seats) -> FinishedGame | None:
        """Play on to the end."""
        game, playthrough = self.interactive.game, self.interactive.playthrough
        while isinstance(now := self.interactive.ask(), Decision):
            if now.side not in self.humans:
                self.interactive.choose(now, choose_option(game, playthrough, now, seats))
                self.moved = True
                continue
            self.turn_to(now)
            match self.dialog.ask(now):
                case TakeOptions(options):
                    self.lines.append(playthrough.choices)
                    for option in options:
                        then = self.interactive.ask()
                        assert isinstance(then, Decision)
                        self.interactive.choose(then, option)
                case UndoCommand():
                    self.undo(now.side)
                case AutoCommand():
                    self.auto(now.side)
                case LeaveCommand():
                    return None
        self.show_events()
        self.interactive.close(now)
        return now

    def undo(self, side: str) -> None:
        """Take back what the last line did, as far as it may be taken back; at least one choice may."""
        playthrough = self.interactive.playthrough
        self.interactive.undo()
        line = self.lines.pop() if self.lines else playthrough.choices
        while playthrough.choices > line and self.interactive.ask() and not self.interactive.undo_refusal(side):
            self.interactive.undo()
        self.shown = (min(self.shown[0], len(playthrough.journal)), min(self.shown[1], len(playthrough.dice)))
        self.console.say("taken back")

    def auto(self, side: str) -> None:
        """Choose for a side as the greedy player until the phase is over or another side is asked."""
        game, playthrough = self.interactive.game, self.interactive.playthrough
        stretch = playthrough.phase_key()
        seat = Seat(greedy_option, Stream(f"auto {playthrough.seed}", side))
        while isinstance(now := self.interactive.ask(), Decision) and (now.side, playthrough.phase_key()) == (
            side,
            stretch,
        ):
            self.interactive.choose(now, seat.choose_option(game, as_seen(game, playthrough, side), now))

    def turn_to(self, now: Decision) -> None:
        """Report what happened since the last prompt; draw the map when a turn or a side begins."""
        playthrough = self.interactive.playthrough
        if now.side != self.side:
            self.hand_over(now.side)
        before = self.shown
        self.show_events(now.side)
        clock = (playthrough.state.turn, playthrough.state.player, playthrough.state.phase)
        if clock == self.clock and now.side == self.side:
            return
        fresh = self.clock is None or self.moved or now.side != self.side
        # What others did since the last prompt belongs to it, and what was played before the game was left.
        self.dialog.since = before if self.clock else (_began(playthrough), self.shown[1])
        self.clock, self.side, self.moved = clock, now.side, False
        phase = f", {words.readable_name(clock[2])}" if clock[2] else ""
        player = words.member("side", clock[1], playthrough.state.graph.vocabulary)
        self.console.say(Rule(f"turn {clock[0]}, {player}{phase}", align="left"))
        if fresh:
            self.console.say(
                draw_chart(as_seen(self.interactive.game, playthrough, now.side).state, self.console.width)
            )

    def hand_over(self, side: str) -> None:
        """Have the player hand over to another, where there is something to hide."""
        if self.side and self.interactive.game.choices.secret and len(self.humans) > 1:
            self.console.clear_screen()
            self.console.read_line(f"hand over to {side}, and press Enter: ", ())

    def show_events(self, reader: str = "") -> None:
        """Print what is new to the side that is asked; at the end, what all sides may know."""
        playthrough = self.interactive.playthrough
        for line in shortened_lines(events_text(playthrough, *self.shown, reader=reader)):
            self.console.say(f"  {line}")
        self.shown = (len(playthrough.journal), len(playthrough.dice))


def _began(playthrough: Playthrough) -> int:
    """Find where in the journal the last phase began in which anything happened."""
    last = max((at for at, event in enumerate(playthrough.journal) if event.what != "clock"), default=0)
    return max((at + 1 for at, event in enumerate(playthrough.journal[:last]) if event.what == "clock"), default=0)


def copy_to(journal: Path, file: Path) -> None:
    """Copy a game so far; nothing that is there already is written over."""
    save_new(file, journal.read_bytes())
