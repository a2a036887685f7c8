"""A console that types the lines of a test, and records its output."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO

from rich.console import Console, RenderableType


@dataclass
class Script:
    """A screen, a hundred columns wide by default, and a keyboard with prepared lines."""

    lines: Iterator[str]
    width: int = 100
    output_lines: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def say(self, content: RenderableType) -> None:
        """Record an output as plain text."""
        page = StringIO()
        Console(file=page, width=self.width, markup=False, emoji=False, highlight=False).print(content)
        self.output_lines.append(page.getvalue())

    def read_line(self, prompt: str) -> str | None:
        """Return the next line."""
        self.prompts.append(prompt)
        return next(self.lines, None)

    def clear_screen(self) -> None:
        """Record that the screen is cleared."""
        self.output_lines.append("-- wiped --")

    @property
    def text(self) -> str:
        """Return all output."""
        return "".join(self.output_lines)


def typing(*lines: str) -> Script:
    """Make a console with these lines."""
    return Script(iter(lines))


def typing_from(lines: Iterable[str]) -> Script:
    """Make a console with the lines of an iterator."""
    return Script(iter(lines))
