"""A console that types the lines of a test, and remembers what was shown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from rich.console import Console, RenderableType


@dataclass
class Script:
    """A screen of a hundred columns and a keyboard with lines waiting."""

    lines: Iterator[str]
    width: int = 100
    output_lines: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def say(self, content: RenderableType) -> None:
        """Remember what is shown, as plain text."""
        page = StringIO()
        Console(file=page, width=self.width, markup=False, emoji=False, highlight=False).print(content)
        self.output_lines.append(page.getvalue())

    def read_line(self, prompt: str, names: Sequence[str]) -> str | None:
        """Type the next line."""
        assert all(names)
        self.prompts.append(prompt)
        return next(self.lines, None)

    def clear_screen(self) -> None:
        """Clear the screen."""
        self.output_lines.append("-- wiped --")

    @property
    def text(self) -> str:
        """Everything that was shown."""
        return "".join(self.output_lines)


def typing(*lines: str) -> Script:
    """Wait with these lines."""
    return Script(iter(lines))


def endless(lines: Iterable[str]) -> Script:
    """Wait with as many lines as an iterator has."""
    return Script(iter(lines))


def nowhere(_: Path) -> None:
    """Save nothing."""
