"""The screen and the keyboard of the player at the terminal.

A game is talk, not an answer, so all of it goes to stderr; on a terminal lines are edited, remembered and
completed with Tab. From a pipe they are read one by one, and shown, so that a log of it can be read.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress

from rich.console import RenderableType
from rich.text import Text

from rulewright.cli.console import escape_controls, open_console
from rulewright.cli.work_line import work_line
from rulewright.cli.wrapping import wrapped


class Terminal:
    """Talks with a person."""

    def __init__(self) -> None:
        """Open the console; where stdin and stdout are a terminal, set up line editing and completion."""
        work_line.end()
        self.console = open_console(stderr=True)
        self.names: Sequence[str] = ()
        self.live = sys.stdin.isatty() and sys.stdout.isatty()
        if self.live:
            with suppress(ImportError):
                import readline

                readline.set_completer(self._complete)
                readline.set_completer_delims(" ")
                readline.parse_and_bind("tab: complete")

    @property
    def width(self) -> int:
        """Columns of the screen."""
        return self.console.width

    def say(self, what: RenderableType) -> None:
        """Show something."""
        if isinstance(what, str):
            what = wrapped(what, self.console.width)
        self.console.print(what, soft_wrap=isinstance(what, str | Text))

    def clear_screen(self) -> None:
        """Clear the screen."""
        self.console.clear()

    def read_line(self, prompt: str, names: Sequence[str]) -> str | None:
        """Read a line; None at the end of input, or when it was broken off."""
        self.names = names
        try:
            if self.live:
                return input(escape_controls(prompt))
            self.console.print(prompt, end="")
            line = sys.stdin.readline()
            self.console.print(line.rstrip("\n"))
        except EOFError:
            return None
        except KeyboardInterrupt:
            self.console.print()
            return None
        return line or None

    def _complete(self, begun: str, number: int) -> str | None:
        """Return the fitting name of this number."""
        fitting = [name for name in self.names if name.lower().startswith(begun.lower())]
        return fitting[number] + " " if number < len(fitting) else None
