"""The records of findings: of `check`, `fmt`, and of every command whose rules have errors."""

from typing import Literal, TypedDict


class SpanRecord(TypedDict):
    """A stretch of a file.

    file: the name of the file in its package.
    line: its first line, from 1.
    column: its first column, from 1.
    end_line: its last line.
    end_column: the column behind its end.
    label: what is said of it.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    label: str


class DiagnosticRecord(TypedDict):
    """A finding.

    code: its code; `explain CODE` has a page on it.
    severity: how severe it is.
    message: the finding in a sentence.
    spans: its places; the first is the one to correct.
    help: what to do.
    why: further reasons, in lines; "" without any.
    witness: the file of a position that shows it, or the case in which it occurs; null without one.
    position: the name of the position.
    when: the case in which it occurs.
    share: in how many cases it occurs.
    question: the question to ask about the position.
    answer: its answers.
    """

    code: str
    severity: Literal["error", "warning"]
    message: str
    spans: list[SpanRecord]
    help: str
    why: str
    witness: str | None
    position: str
    when: str
    share: str
    question: str
    answer: str


class FindingsRecord(TypedDict):
    """What was found, as every command prints it that cannot do its work for errors of the rules.

    errors: the number of errors.
    warnings: the number of warnings.
    diagnostics: the findings.
    """

    errors: int
    warnings: int
    diagnostics: list[DiagnosticRecord]


class FormattedFilesRecord(FindingsRecord):
    """The files that were formatted.

    files: the number of files.
    changed: the names of those that changed, or would.
    """

    files: int
    changed: list[str]


class SkippedCheckRecord(TypedDict):
    """A check that was not made.

    check: what it would have looked at.
    why: why it was not made.
    """

    check: str
    why: str


class RevisionRecord(TypedDict):
    """A comparison of the rules with a revision of git.

    revision: the revision.
    differ: the number of declarations that differ.
    new: the number of new ones.
    removed: the number of those that are gone.
    left_out: what was not compared.
    absent: layers that the revision does not have, which were not compared.
    alone: the number of sentences, laws and citations that changed alone, if they are too many to report; otherwise 0.
    """

    revision: str
    differ: int
    new: int
    removed: int
    left_out: list[str]
    absent: list[str]
    alone: int


class CheckedCardsRecord(TypedDict):
    """The situations of a stack.

    looked_at: those that were checked.
    others: the names of others in their folders, by the stack that they are for.
    games_played: the number of games that were played: none.
    """

    looked_at: list[str]
    others: dict[str, list[str]]
    games_played: int


class MismatchRecord(TypedDict):
    """A part of a file that differs from its checksum.

    file: the file.
    line: its line.
    what: what differs.
    """

    file: str
    line: int
    what: str


class BrokenLayerRecord(TypedDict):
    """A layer that does not compile.

    layer: its name.
    error: its first error.
    """

    layer: str
    error: str


class DependentLayersRecord(TypedDict):
    """The layers on a checked layer, each compiled alone.

    compiled: the number of layers.
    broken: those that do not compile.
    """

    compiled: int
    broken: list[BrokenLayerRecord]


# A key with blanks is no identifier.
DependentsPart = TypedDict("DependentsPart", {"layers on it": DependentLayersRecord})


class CheckRecord(FindingsRecord, DependentsPart):
    """The findings in a stack.

    skipped: the checks that were not made.
    compared: the comparison with a revision of git; null without one.
    cards: the situations.
    differing: the parts of files that differ from their checksums.
    stack: the stack.
    layers on it: the options and variants on a single layer.
    chosen_readings: the number of contradictions of the sources that are settled by choice.
    """

    skipped: list[SkippedCheckRecord]
    compared: RevisionRecord | None
    cards: CheckedCardsRecord
    differing: list[MismatchRecord]
    stack: str
    chosen_readings: int


class ChecksumsRecord(TypedDict):
    """The checksums that `check --accept` wrote.

    files: the number of files that they are of.
    written: the files that have them.
    """

    files: int
    written: list[str]
