"""The notes of an import: what it converted, what it changed, and what it could not convert."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from compiler.report.render.excerpt import without_control_characters
from compiler.source.span import Span
from runtime.graph.records.packages import ImportReportRecord, NoteRecord


class NoteSeverity(StrEnum):
    """The severity of a note."""

    BROKEN = "broken"  # a file, or a part of one, that cannot be parsed
    LOST = "lost"  # parsed, but not converted
    CHANGED = "changed"  # converted approximately


@dataclass(frozen=True, slots=True)
class ImportNote:
    """A thing of the source that was not converted unchanged."""

    weight: NoteSeverity
    span: Span
    subject: str
    text: str

    def line(self) -> str:
        """Format the note as a line that begins with its place."""
        place = f"{self.span.file}:{self.span.line}:{self.span.column}"
        return without_control_characters(f"{place}: {self.subject}: {self.text}")

    def record(self) -> NoteRecord:
        """Return the record of the note."""
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
    """A collector of notes."""

    entries: list[ImportNote] = field(default_factory=list)

    def add_invalid(self, span: Span, subject: str, text: str) -> None:
        """Record something that is not as it should be, so that it cannot be read."""
        self.entries.append(ImportNote(NoteSeverity.BROKEN, span, subject, text))

    def first_invalid(self) -> ImportNote | None:
        """Return the first note on something that cannot be read; None if there is none."""
        return next((note for note in self.entries if note.weight is NoteSeverity.BROKEN), None)

    def add_omission(self, span: Span, subject: str, text: str) -> None:
        """Record something that was not converted."""
        self.entries.append(ImportNote(NoteSeverity.LOST, span, subject, text))

    def add_changed(self, span: Span, subject: str, text: str) -> None:
        """Record something that was converted to something else."""
        self.entries.append(ImportNote(NoteSeverity.CHANGED, span, subject, text))


@dataclass(frozen=True, slots=True)
class TransferCount:
    """The number of things of a kind in the source, and of those that were converted."""

    singular: str
    plural: str
    total: int
    imported: int

    @property
    def count_left(self) -> int:
        """Return the number of things that were not converted."""
        return self.total - self.imported

    def text(self) -> str:
        """Format both numbers as a phrase."""
        return f"{self.imported:,} of {_count_text(self.total, self.singular, self.plural)}"


def _count_text(number: int, singular: str, plural: str) -> str:
    """Format a number with its noun, in the singular or the plural."""
    return f"{number:,} {singular if number == 1 else plural}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The report of an import: the written files, the notes by file and line, and why each situation was omitted."""

    source: str
    form: str
    boards: tuple[str, ...]
    cards: tuple[str, ...]
    layers: tuple[str, ...]
    files: tuple[str, ...]
    notes: tuple[ImportNote, ...]
    shares: tuple[TransferCount, ...]
    omissions: tuple[ImportNote, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether the source has none of the things that are counted."""
        return not any(share.total for share in self.shares)

    @property
    def is_incomplete(self) -> bool:
        """Return whether any part of the source was not converted, or nothing was found in it."""
        left = any(share.count_left for share in self.shares)
        return left or self.is_empty or bool(self._loss_count())

    def record(self) -> ImportReportRecord:
        """Return the record of the report."""
        return {
            "source": self.source,
            "form": self.form,
            "boards": list(self.boards),
            "scenarios": list(self.cards),
            "layers": list(self.layers),
            "files": list(self.files),
            "complete": not self.is_incomplete,
            "summary": self.summary(),
            "imported": {share.plural: {"found": share.total, "imported": share.imported} for share in self.shares},
            "counts": {weight.value: self.note_count(weight) for weight in NoteSeverity},
            "left": [note.record() for note in self.omissions],
            "notes": [note.record() for note in self.notes],
        }

    def note_count(self, weight: NoteSeverity) -> int:
        """Return the number of notes of a severity."""
        return sum(note.weight is weight for note in self.notes)

    def _loss_count(self) -> int:
        return self.note_count(NoteSeverity.BROKEN) + self.note_count(NoteSeverity.LOST)

    def page(self) -> str:
        """Format the report as a Markdown page, with one heading for each file."""
        lines = [f"# Imported from {without_control_characters(self.source)}", "", self.summary(), ""]
        for file in dict.fromkeys(note.span.file for note in self.notes):
            lines += [f"## {without_control_characters(file)}", "", "| line | | what | |", "| --- | --- | --- | --- |"]
            folded: dict[tuple[NoteSeverity, str], list[ImportNote]] = {}
            for note in self.notes:
                if note.span.file == file:
                    folded.setdefault((note.weight, note.text), []).append(note)
            lines += [*map(_row, folded.values()), ""]
        return "\n".join(lines)

    def summary(self) -> str:
        """Format the report as a line: how much was converted, and what was not."""
        came = f"{', '.join(share.text() for share in self.shares)} brought over"
        left = [
            _count_text(share.count_left, share.singular, share.plural) for share in self.shares if share.count_left
        ]
        details, changed = self._loss_count(), self.note_count(NoteSeverity.CHANGED)
        more = [
            *([f"left behind: {', '.join(left)}"] if left else []),
            *([f"{_count_text(details, 'thing', 'things')} lost or broken"] if details else []),
            *([f"{changed:,} changed"] if changed else []),
        ]
        empty = "none of these is in the source" if self.is_empty else "nothing left behind"
        return "; ".join([came, *(more or [empty])])


def sorted_notes(notes: Iterable[ImportNote]) -> tuple[ImportNote, ...]:
    """Sort notes by file and line, without duplicates."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: (note.span.file, note.span.line, note.span.column)))


def _row(notes: list[ImportNote]) -> str:
    """Format notes with the same text about several subjects as one row of a table."""
    subjects = ", ".join(dict.fromkeys(note.subject for note in notes))
    cells = (str(notes[0].span.line), notes[0].weight.value, subjects, notes[0].text)
    return "| " + " | ".join(without_control_characters(cell).replace("|", "\\|") for cell in cells) + " |"
