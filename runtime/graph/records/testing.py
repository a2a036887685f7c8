"""The records of what examples show: `test`, its mutants, `coverage`."""

from typing import TypedDict

from runtime.graph.records.findings import DiagnosticRecord


class ExampleCountRecord(TypedDict):
    """Numbers of examples.

    passed: examples of which all cases pass.
    failed: the others.
    """

    passed: int
    failed: int


class TestedStackRecord(TypedDict):
    """The examples that ran under a stack.

    stack: the stack.
    passed: the number of cases that pass.
    failed: the number of cases that fail.
    examples: the numbers of examples.
    errors: the number of errors for which the stack does not compile.
    not_run: the number of examples that did not run for these errors.
    """

    stack: str
    passed: int
    failed: int
    examples: ExampleCountRecord
    errors: int
    not_run: int


class LeftOutRecord(TypedDict):
    """Examples that did not run.

    stack: the stack that they are for.
    examples: their number.
    layers: the layers that have them.
    why: `here` as they are for another stack, `below` as a layer below has them for another stack.
    """

    stack: str
    examples: int
    layers: list[str]
    why: str


class CauseRecord(TypedDict):
    """A probable cause of a failure.

    known: why it is a cause.
    name: the rule, row or procedure.
    change: what was changed; "" if nothing was.
    file: its file.
    line: its line.
    column: its column.
    """

    known: str
    name: str
    change: str
    file: str
    line: int
    column: int


class FailedCaseRecord(TypedDict):
    """A case that fails.

    case: the case as it is written.
    expected: the value that it expects.
    actual: the value that it has.
    file: its file.
    line: its line.
    """

    case: str
    expected: str
    actual: str
    file: str
    line: int


class FailureRecord(FailedCaseRecord):
    """An example that fails, by its first failing case.

    example: its title.
    explanation: why the case has this value.
    causes: probable causes.
    others: its other failing cases.
    """

    example: str
    explanation: str
    causes: list[CauseRecord]
    others: list[FailedCaseRecord]


class UnnoticedChangeRecord(TypedDict):
    """A change since a revision that no example notices.

    was: the text before.
    now: the text now.
    file: its file.
    line: its line.
    """

    was: str
    now: str
    file: str
    line: int


class UncoveredPartRecord(TypedDict):
    """A part that no example reaches.

    name: its name.
    file: its file.
    line: its line.
    """

    name: str
    file: str
    line: int


class ReachedPartsRecord(TypedDict):
    """The parts of a kind.

    of: their number.
    uncovered: those that no example reaches.
    """

    of: int
    uncovered: list[UncoveredPartRecord]


class TallyRecord(TypedDict):
    """The numbers of a test.

    passed: the number of cases that pass.
    failed: the number of cases that fail.
    examples: the numbers of examples.
    stacks: the numbers by the stack that the examples ran under.
    left_out: examples that did not run.
    files: the number of files of rules that were searched for examples.
    """

    passed: int
    failed: int
    examples: ExampleCountRecord
    stacks: list[TestedStackRecord]
    left_out: list[LeftOutRecord]
    files: int


class UnprotectedRecord(TypedDict):
    """An alteration that no example notices.

    what: its kind.
    name: the rule, row or procedure that is altered.
    was: the part as it is.
    now: the part as it was altered.
    says: both in a sentence.
    nth: the number of the place among those that read the same, from 1.
    of: the number of these places.
    stack: the stack that was altered.
    cites: items of the sources.
    file: its file.
    line: its line.
    """

    what: str
    name: str
    was: str
    now: str
    says: str
    nth: int
    of: int
    stack: str
    cites: list[str]
    file: str
    line: int


_EquivalentPart = TypedDict("_EquivalentPart", {"in": str})


class _EquivalentRecord(_EquivalentPart):
    """An alteration that the layers list as equivalent.

    in: the rule, row or procedure.
    was: the part as it is.
    now: the part as it was altered.
    nth: the number of the place; 0 for all.
    why: the reason that is given.
    """

    was: str
    now: str
    nth: int
    why: str


class _StaleEquivalentRecord(_EquivalentPart):
    """An alteration that is listed as equivalent and that is no more there, or that an example notices.

    in: the rule, row or procedure.
    was: the part as it is listed.
    now: the part as it was altered.
    file: the file of the list.
    line: its line.
    """

    was: str
    now: str
    file: str
    line: int


class MutationRecord(TypedDict):
    """What examples notice of alterations; the numbers are by kind.

    unprotected: the names of what can be altered so that no example notices.
    unprotected_at: these alterations.
    made: the numbers of alterations that are possible.
    altered: those that were tried.
    noticed: those that an example notices.
    equivalent: those that change nothing.
    unnoticed: those that no example notices.
    proved_equivalent: the number of alterations that are proved to change nothing.
    proofs: their numbers by what was looked at.
    listed_equivalent: those that the layers list as equivalent.
    stale: entries of such lists that are wrong.
    unfinished: the number of alterations that were not tried to the end.
    interrupted: whether an interrupt ended the search.
    not_compiled: situations and stacks that do not compile.
    lower_layers: layers below, which are not altered.
    never_altered: what is never altered.
    """

    unprotected: list[str]
    unprotected_at: list[UnprotectedRecord]
    made: dict[str, int]
    altered: dict[str, int]
    noticed: dict[str, int]
    equivalent: dict[str, int]
    unnoticed: dict[str, int]
    proved_equivalent: int
    proofs: dict[str, int]
    listed_equivalent: list[_EquivalentRecord]
    stale: list[_StaleEquivalentRecord]
    unfinished: int
    interrupted: bool
    not_compiled: list[str]
    lower_layers: list[str]
    never_altered: list[str]


class TestRecord(TallyRecord):
    """The results of the examples of a stack; the keys of `MutationRecord` are there with --mutate.

    failures: the examples that fail.
    unnoticed: the changes since a revision that no example notices; with --mutate the numbers of alterations.
    unplayed: readings that no example plays.
    uncovered: the parts of each kind that no example reaches.
    unprotected: as in `MutationRecord`; empty without --mutate.
    unprotected_at: as in `MutationRecord`; empty without --mutate.
    """

    failures: list[FailureRecord]
    unnoticed: list[UnnoticedChangeRecord] | dict[str, int]
    unplayed: list[str]
    uncovered: dict[str, ReachedPartsRecord]
    unprotected: list[str]
    unprotected_at: list[UnprotectedRecord]


class CoverageRecord(TypedDict):
    """Which items of the sources are cited, and which examples protect.

    total: the number of items.
    executable: the number of those that rules can carry out.
    encoded: the number of those that rules cite.
    protected: the number of those whose rules an example protects.
    missing: the items that are not protected.
    uncited: the items that nothing cites.
    on_cards: the items that only situations or boards cite, which are not measured.
    unread_cards: the situations with errors.
    stacks: the stacks that were measured.
    cases: the number of cases of examples that ran.
    failed: the number of those that failed; they protect nothing.
    diagnostics: the errors of stacks that were not measured.
    encoded_items: the items that rules cite.
    protected_items: the items that an example protects.
    left_out: the numbers of examples of these layers that run under other stacks, by stack.
    """

    total: int
    executable: int
    encoded: int
    protected: int
    missing: list[str]
    uncited: list[str]
    on_cards: list[str]
    unread_cards: list[str]
    stacks: list[str]
    cases: int
    failed: int
    diagnostics: list[DiagnosticRecord]
    encoded_items: list[str]
    protected_items: list[str]
    left_out: dict[str, int]
