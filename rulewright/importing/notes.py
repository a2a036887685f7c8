"""The notes of an import: what it carried over, what it changed on the way, what it had to leave."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from compiler.source.span import Span


class NoteSeverity(StrEnum):
    """The severity of a note."""

    BROKEN = "broken"  # a file, or a part of one, that cannot be read
    LOST = "lost"  # understood, and not carried over
    UNREAD = "unread"  # a file of which nothing was read
    CHANGED = "changed"  # carried over as something a little different
    ABSENT = "absent"  # what our games have and the source does not hold


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that did not come over as it was."""

    weight: NoteSeverity
    span: Span
    subject: str
    text: str

    def line(self) -> str:
        """Return the note in a line that begins with its place."""
        return f"{self.span.file}:{self.span.line}:{self.span.column}: {self.subject}: {self.text}"

    def data(self) -> dict[str, Any]:
        """Return the note as data."""
        return {
            "weight": self.weight.value,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "subject": self.subject,
            "text": self.text,
        }


@dataclass(slots=True)
class Notes:
    """Notes while they are gathered."""

    entries: list[Note] = field(default_factory=list)

    def add_broken(self, span: Span, subject: str, text: str) -> None:
        """Note what cannot be read."""
        self.entries.append(Note(NoteSeverity.BROKEN, span, subject, text))

    def add_lost(self, span: Span, subject: str, text: str) -> None:
        """Note what was not carried over."""
        self.entries.append(Note(NoteSeverity.LOST, span, subject, text))

    def add_changed(self, span: Span, subject: str, text: str) -> None:
        """Note what was carried over as something else."""
        self.entries.append(Note(NoteSeverity.CHANGED, span, subject, text))

    def add_unread(self, span: Span, subject: str, text: str) -> None:
        """Note a file of which nothing was read."""
        self.entries.append(Note(NoteSeverity.UNREAD, span, subject, text))

    def add_absent(self, span: Span, subjects: Iterable[str]) -> None:
        """Note what our games have and the source does not hold."""
        said = "the source does not hold this at all"
        self.entries += (Note(NoteSeverity.ABSENT, span, subject, said) for subject in subjects)


@dataclass(frozen=True, slots=True)
class TransferCount:
    """The number of things of a kind that the source has, and of those that were carried over."""

    one: str
    many: str
    total: int
    imported: int

    @property
    def count_left(self) -> int:
        """Count those that did not come over."""
        return self.total - self.imported

    def in_words(self) -> str:
        """Return both numbers in words."""
        return f"{self.imported} of {count_text(self.total, self.one, self.many)}"


def count_text(number: int, one: str, many: str) -> str:
    """Write a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The report of an import: the files it wrote, its notes by file and line, and why each situation was left out."""

    source: str
    form: str
    boards: tuple[str, ...]
    cards: tuple[str, ...]
    layers: tuple[str, ...]
    files: tuple[str, ...]
    notes: tuple[Note, ...]
    shares: tuple[TransferCount, ...] = ()
    left: tuple[Note, ...] = ()

    @property
    def is_incomplete(self) -> bool:
        """Return whether anything that is in the source did not come over."""
        left = any(share.count_left for share in self.shares)
        return left or any(
            self.count(weight) for weight in (NoteSeverity.BROKEN, NoteSeverity.LOST, NoteSeverity.UNREAD)
        )

    def data(self) -> dict[str, Any]:
        """Return the report as data."""
        return {
            "source": self.source,
            "form": self.form,
            "boards": list(self.boards),
            "scenarios": list(self.cards),
            "layers": list(self.layers),
            "files": list(self.files),
            "complete": not self.is_incomplete,
            "summary": self.summary(),
            "brought": {share.many: {"found": share.total, "brought": share.imported} for share in self.shares},
            "counts": {weight.value: self.count(weight) for weight in NoteSeverity},
            "left": [note.data() for note in self.left],
            "notes": [note.data() for note in self.notes],
        }

    def count(self, weight: NoteSeverity) -> int:
        """Count the notes of a weight."""
        return sum(note.weight is weight for note in self.notes)

    def page(self) -> str:
        """Return the report as a page, with one heading for each file."""
        lines = [f"# Imported from {self.source}", "", self.summary(), ""]
        for file in dict.fromkeys(note.span.file for note in self.notes):
            lines += [f"## {file}", "", "| line | | what | |", "| --- | --- | --- | --- |"]
            folded: dict[tuple[NoteSeverity, str], list[Note]] = {}
            for note in self.notes:
                if note.span.file == file:
                    folded.setdefault((note.weight, note.text), []).append(note)
            lines += [*map(_row, folded.values()), ""]
        return "\n".join(lines)

    def summary(self) -> str:
        """Return the report in a line: how much was carried over, and what was not."""
        came = f"{', '.join(share.in_words() for share in self.shares)} brought over"
        left = [count_text(share.count_left, share.one, share.many) for share in self.shares if share.count_left]
        details = self.count(NoteSeverity.BROKEN) + self.count(NoteSeverity.LOST)
        unread, changed = self.count(NoteSeverity.UNREAD), self.count(NoteSeverity.CHANGED)
        more = [
            *([f"left behind: {', '.join(left)}"] if left else []),
            *([f"{count_text(details, 'thing', 'things')} lost or broken"] if details else []),
            *([f"{count_text(unread, 'file', 'files')} not read"] if unread else []),
            *([f"{changed:,} changed"] if changed else []),
        ]
        return "; ".join([came, *(more or ["nothing left behind"])])


def in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Sort notes by file and line; what is said twice is said once."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: (note.span.file, note.span.line, note.span.column)))


def _row(alike: list[Note]) -> str:
    """Write notes that say the same of several things."""
    subjects = ", ".join(dict.fromkeys(note.subject for note in alike))
    cells = (str(alike[0].span.line), alike[0].weight.value, subjects, alike[0].text)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
