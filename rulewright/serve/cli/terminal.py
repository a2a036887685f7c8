"""The console of the player at the terminal.

The dialog of a game is no reply, so that all of it is written to stderr; a terminal has line editing and a
history. Lines from a pipe are echoed, so that a log is readable.
"""

import sys
from contextlib import suppress

from rich.console import RenderableType
from rich.text import Text

from rulewright.serve.cli.console import escape_controls, open_console, wrapped
from rulewright.serve.cli.work_line import work_line


class Terminal:
    """A console for a human player."""

    def __init__(self) -> None:
        """Open the console; set up line editing and completion if stdin and stdout are a terminal."""
        work_line.end()
        self.console = open_console(stderr=True)
        self.live = sys.stdin.isatty() and sys.stdout.isatty()
        if self.live:
            with suppress(ImportError):
                import readline  # noqa: F401 -- what `input` edits with

    @property
    def width(self) -> int:
        """Return the number of columns of the screen."""
        return self.console.width

    def say(self, content: RenderableType) -> None:
        """Print a renderable."""
        if isinstance(content, str):
            content = wrapped(content, self.console.width)
        self.console.print(content, soft_wrap=isinstance(content, str | Text))

    def clear_screen(self) -> None:
        """Clear the screen, the lines that can be scrolled back to, and the lines that were typed."""
        self.console.clear()
        if self.live:
            sys.stderr.write("\x1b[3J")
            sys.stderr.flush()
            with suppress(ImportError):
                import readline

                readline.clear_history()

    def read_line(self, prompt: str) -> str | None:
        """Read a line; None at the end of input, or after an interrupt."""
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
