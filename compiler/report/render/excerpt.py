"""Format excerpts of source with underlines, as rustc and Elm do.

The input is labels and the texts of their files; the output is lines of fragments with roles. The first label is the
one to correct; its file comes first and it is underlined with `^`, all others with `-`. A line that is too long to read
is shown around the relevant part. The content of a source file cannot move the cursor or color the screen: control
characters are shown as `·`.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from unicodedata import category, east_asian_width

from compiler.report.diagnostic import place_text
from compiler.source.files import split_lines
from compiler.source.sentence import Label
from runtime.graph.frozen_dataclass import frozen_dataclass

TAB = 4
# Underline and label fit side by side on the terminal of a laptop.
WIDEST = 120
LETTERS_BEFORE = 40


@frozen_dataclass
class Fragment:
    """A piece of a line and its role: text, gutter, place, error, warning, help, other."""

    text: str
    role: str = "text"


Line = tuple[Fragment, ...]


def excerpt_lines(labels: Sequence[Label], texts: Mapping[str, str], role: str) -> list[Line]:
    """Format an excerpt of each place that has a label, file by file."""
    placed = [label for label in labels if label.span.file]
    files = list(dict.fromkeys(label.span.file for label in placed))
    gutter = len(str(max((label.span.line for label in placed), default=0)))
    lines: list[Line] = []
    for number, file in enumerate(files):
        file_labels = [label for label in placed if label.span.file == file]
        arrow = "-->" if number == 0 else ":::"
        lines.append(
            (Fragment(" " * gutter + arrow + " ", "gutter"), Fragment(place_text(file_labels[0].span), "place"))
        )
        lines += _quote(file_labels, texts.get(file) or None, labels[0], role, gutter)
    return lines


def _quote(file_labels: list[Label], text: str | None, first: Label, role: str, gutter: int) -> list[Line]:
    """Format the excerpt of one file; for a file that cannot be read only the labels are shown."""
    bar = (Fragment(" " * gutter + " |", "gutter"),)
    known = split_lines(text) if text is not None else []
    if not all(1 <= label.span.line <= len(known) for label in file_labels):
        labels_with_text = [label for label in file_labels if label.text]
        return [
            (*bar, Fragment(f" {_line_prefix(label)}{without_control_characters(label.text)}", "other"))
            for label in labels_with_text
        ]
    lines: list[Line] = [bar]
    last_line = 0
    for number, group in groupby(sorted(file_labels, key=lambda label: label.span), lambda label: label.span.line):
        if last_line and number > last_line + 1:
            lines.append((Fragment(" " * gutter + "...", "gutter"),))
        labels = list(group)
        window = _Window.at_column(known[number - 1], labels[0].span.column)
        lines.append((Fragment(f"{number:>{gutter}} | ", "gutter"), Fragment(window.text)))
        lines += [(*bar, Fragment(" "), *_underline(label, window, label is first, role)) for label in labels]
        last_line = number
    return [*lines, bar]


def _line_prefix(label: Label) -> str:
    """Return the prefix with the line of a label that cannot be quoted."""
    return f"line {label.span.line}: " if label.span.line else ""


def _underline(label: Label, window: "_Window", first: bool, role: str) -> Line:  # noqa: FBT001 -- a fact, not a switch
    """Draw `^^^^ what it is` under a label."""
    span = label.span
    start = window.screen_column(span.column)
    end = window.screen_column(span.end_column) if span.end_line == span.line else len(window.text.rstrip())
    length = max(1, min(end, len(window.text)) - start)
    mark = ("^" if first else "-") * length
    note = f" {without_control_characters(label.text)}" if label.text else ""
    return (Fragment(" " * start), Fragment(mark + note, role if first else "other"))


@frozen_dataclass
class _Window:
    """The visible part of a source line with the screen position of each of its columns."""

    text: str
    offsets: tuple[int, ...]
    first: int

    @classmethod
    def at_column(cls, line: str, column: int) -> "_Window":
        """Return the window of a line with tabs expanded; for a very long line, the part around `column`."""
        first = max(0, column - 1 - LETTERS_BEFORE) if len(line) > WIDEST else 0
        part = line[first : first + WIDEST]
        text, offsets = "…" if first else "", []
        for letter in part:
            offsets.append(_width(text))
            text += " " * (TAB - _width(text) % TAB) if letter == "\t" else without_control_characters(letter)
        offsets.append(_width(text))
        return cls(text + ("…" if first + WIDEST < len(line) else ""), tuple(offsets), first)

    def screen_column(self, column: int) -> int:
        """Return the screen column at which a column of the source (from one) starts."""
        return self.offsets[min(max(column - 1 - self.first, 0), len(self.offsets) - 1)]


def _width(text: str) -> int:
    """Compute the number of screen cells: ideographs take two, combining accents none."""
    return sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def without_control_characters(text: str) -> str:
    """Replace control characters; a source file must not be able to steer a terminal."""
    return "".join("·" if category(letter) in ("Cc", "Cf", "Zl", "Zp") else letter for letter in text)
