"""What an import says of itself: what it carried over, what it changed on the way, what it had to leave."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from compiler.source.span import Span


class Weight(StrEnum):
    """How much a note weighs."""

    BROKEN = "broken"  # a file, or a part of one, that cannot be read
    LOST = "lost"  # understood, and not carried over
    CHANGED = "changed"  # carried over as something a little different


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that did not come over as it was."""

    weight: Weight
    span: Span
    subject: str
    text: str


@dataclass(slots=True)
class Notes:
    """Notes while they are gathered."""

    found: list[Note] = field(default_factory=list)

    def broken(self, span: Span, subject: str, text: str) -> None:
        """Note what cannot be read."""
        self.found.append(Note(Weight.BROKEN, span, subject, text))

    def lost(self, span: Span, subject: str, text: str) -> None:
        """Note what was left."""
        self.found.append(Note(Weight.LOST, span, subject, text))

    def changed(self, span: Span, subject: str, text: str) -> None:
        """Note what was carried over as something else."""
        self.found.append(Note(Weight.CHANGED, span, subject, text))


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import wrote, and its notes in the order of files and lines."""

    source: str
    form: str
    boards: tuple[str, ...]
    cards: tuple[str, ...]
    layers: tuple[str, ...]
    files: tuple[str, ...]
    notes: tuple[Note, ...]

    def data(self) -> dict[str, Any]:
        """Say it as data."""
        return {
            "source": self.source,
            "form": self.form,
            "boards": list(self.boards),
            "scenarios": list(self.cards),
            "layers": list(self.layers),
            "files": list(self.files),
            "counts": {weight.value: self.count(weight) for weight in Weight},
            "notes": [
                {
                    "weight": note.weight.value,
                    "file": note.span.file,
                    "line": note.span.line,
                    "column": note.span.column,
                    "subject": note.subject,
                    "text": note.text,
                }
                for note in self.notes
            ],
        }

    def count(self, weight: Weight) -> int:
        """Count the notes of a weight."""
        return sum(note.weight is weight for note in self.notes)

    def page(self) -> str:
        """Say it as a page, one heading a file."""
        lines = [f"# Imported from {self.source}", "", self.summary(), ""]
        for file in dict.fromkeys(note.span.file for note in self.notes):
            lines += [f"## {file}", "", "| line | | what | |", "| --- | --- | --- | --- |"]
            folded: dict[tuple[Weight, str], list[Note]] = {}
            for note in self.notes:
                if note.span.file == file:
                    folded.setdefault((note.weight, note.text), []).append(note)
            lines += [*map(_row, folded.values()), ""]
        return "\n".join(lines)

    def summary(self) -> str:
        """Say it in a line."""
        made = f"{len(self.boards)} boards, {len(self.cards)} scenarios, {len(self.layers)} layers of counters"
        return f"{made}; " + ", ".join(f"{self.count(weight)} {weight.value}" for weight in Weight)


def in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Sort notes by file and line; what is said twice is said once."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: (note.span.file, note.span.line, note.span.column)))


def _row(alike: list[Note]) -> str:
    """Write notes that say the same of several things."""
    subjects = ", ".join(dict.fromkeys(note.subject for note in alike))
    cells = (str(alike[0].span.line), alike[0].weight.value, subjects, alike[0].text)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
