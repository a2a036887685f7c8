"""The records of packages: what there is, what is written into them."""

from typing import Any, NotRequired, TypedDict


class VersionRecord(TypedDict):
    """The facts for a bug report.

    rulewright: the version of Rulewright.
    python: the version of Python.
    rules: the folder of the shipped rules.
    """

    rulewright: str
    python: str
    rules: str


class CardRowRecord(TypedDict):
    """A situation in a list.

    name: its name.
    title: its title.
    stack: the rules that it is written for.
    sides: the sides in the order of play.
    turns: the number of turns.
    units: the number of units of all forces.
    waits_for: the boards that are not there.
    broken: whether its file cannot be read; all but its name is empty then.
    error: the place and the first error of its file; "" without one.
    """

    name: str
    title: str
    stack: str
    sides: list[str]
    turns: int
    units: int
    waits_for: list[str]
    broken: bool
    error: str


class ScenariosRecord(TypedDict):
    """The situations.

    scenarios: a row for each situation, by name.
    """

    scenarios: list[CardRowRecord]


class NewFilesRecord(TypedDict):
    """The files that `new` wrote.

    folder: their folder.
    files: their names.
    """

    folder: str
    files: list[str]


class NumberedLayersRecord(TypedDict):
    """The layers whose rules were numbered.

    layers: the layers.
    changed: those whose numbers changed, or would.
    says: the changed files, in sentences.
    """

    layers: list[str]
    changed: list[str]
    says: list[str]


class ChangeRecord(TypedDict):
    """A change that was written as a layer.

    layer: the layer.
    stack: the stack with the layer.
    folder: the folder of the layer.
    files: the texts of its files.
    written: the files that were written; none if it does not compile, or with --dry-run.
    findings: what is wrong, in sentences.
    failed: the titles of examples that fail.
    """

    layer: str
    stack: str
    folder: str
    files: dict[str, str]
    written: list[str]
    findings: list[str]
    failed: list[str]


class BookRecord(TypedDict):
    """A rulebook.

    files: its files.
    pages: the number of its pages.
    anchors: the number of its anchors.
    quoted: with --sources: the number of cited items whose words are printed.
    cited: with --sources: the number of cited items.
    unknown: with --sources: items that no document has.
    without_anchors: with --sources: files of which nothing is printed, as no line begins an item.
    absent: editions that the stack does not have.
    """

    files: list[str]
    pages: int
    anchors: int
    quoted: NotRequired[int]
    cited: NotRequired[int]
    unknown: NotRequired[list[str]]
    without_anchors: NotRequired[list[str]]
    absent: NotRequired[list[str]]


class NoteRecord(TypedDict):
    """A note on something that is not taken over.

    weight: how much it matters: `broken`, `lost` ..
    file: the file.
    line: its line.
    column: its column.
    subject: what it is about.
    text: the note.
    """

    weight: str
    file: str
    line: int
    column: int
    subject: str
    text: str


class ExportRecord(TypedDict):
    """A position or a game that was written for another program.

    out: the file.
    pieces: the number of pieces in it.
    notes: what is left out.
    """

    out: str
    pieces: int
    notes: list[NoteRecord]


class ImportedShareRecord(TypedDict):
    """How much of a kind was imported.

    found: the number of things.
    imported: the number of those that were imported.
    """

    found: int
    imported: int


class ImportReportRecord(TypedDict):
    """What was imported of a foreign package.

    source: the package.
    form: the program that it is of.
    boards: the boards.
    scenarios: the situations.
    layers: the layers.
    files: the files that were written.
    complete: whether nothing is left out.
    summary: all of it in a sentence.
    imported: how much of each kind was imported.
    counts: the numbers of notes by weight.
    left: what is left out.
    notes: all notes.
    """

    source: str
    form: str
    boards: list[str]
    scenarios: list[str]
    layers: list[str]
    files: list[str]
    complete: bool
    summary: str
    imported: dict[str, ImportedShareRecord]
    counts: dict[str, int]
    left: list[NoteRecord]
    notes: list[NoteRecord]


class ImportRecord(ImportReportRecord):
    """A foreign package that was imported.

    out: the folder that was written.
    """

    out: str


class DemoStepRecord(TypedDict):
    """A step of the demonstration.

    title: what it shows.
    command: the command.
    reply: the record that the command replied.
    """

    title: str
    command: str
    reply: Any


class DemoRecord(TypedDict):
    """The demonstration.

    folder: the folder that was written.
    steps: the steps.
    """

    folder: str
    steps: list[DemoStepRecord]
