"""The record of a difference between two stacks: `diff`."""

from typing import NotRequired, TypedDict

from runtime.graph.records.differing_play import (
    BehaviorRecord,
    ChangeWitnessRecord,
    DifferingActionRecord,
)


class DifferingAnswerRecord(TypedDict):
    """A question that both answer differently, by one set of rules.

    summary: the difference in a sentence.
    witness: the file of a position; null if it could not be written.
    rules: the rules, cells and procedures that differ.
    follows: questions that ask this one and are answered differently, too.
    dependents: questions that ask this one and of which no difference was found.
    differs: the number of positions in which it differs.
    question: the question about the position.
    a: the first answer.
    b: the second answer.
    missing_words: words of the position that only one of the two declares.
    position: the text of the position.
    """

    summary: str
    witness: str | None
    rules: list[str]
    follows: list[str]
    dependents: list[str]
    differs: int
    question: str
    a: str
    b: str
    missing_words: list[str]
    position: str


class DifferingTermRecord(TypedDict):
    """A question that differs.

    term: its name.
    differs: the number of positions in which it differs.
    of: the number of positions that were tried.
    only: `a` or `b`, if only that stack has it; otherwise null.
    groups: the differences, by the rules behind them.
    """

    term: str
    differs: int
    of: int
    only: str | None
    groups: list[DifferingAnswerRecord]


class DifferingSentencesRecord(TypedDict):
    """The sentences of a rule that differs; null for a stack without it.

    a: that of the first stack.
    b: that of the second stack.
    law_a: the law of the first stack in words, if the sentences are equal.
    law_b: that of the second stack.
    """

    a: str | None
    b: str | None
    law_a: NotRequired[str | None]
    law_b: NotRequired[str | None]


class DifferingNoteRecord(TypedDict):
    """A status, track or record that differs.

    what: `status`, `track` or `record`.
    name: its name, with that of its owner.
    only: `a` or `b`, if only that stack has it; otherwise null.
    says: what differs, each in a few words.
    """

    what: str
    name: str
    only: str | None
    says: list[str]


class DifferingDisputeRecord(TypedDict):
    """A dispute that only one of the two has, or that they read differently.

    dispute: its label.
    a: the reading of the first stack; "" for one without rules, null without the dispute.
    b: that of the second stack.
    """

    dispute: str
    a: str | None
    b: str | None


class DifferingReadingRecord(TypedDict):
    """A reading of a dispute that both have.

    dispute: the label of the dispute.
    reading: the label of the reading.
    only: `a` or `b`, if only that stack has it; otherwise null.
    differs: what differs: `reason`, `citations`, `rules`.
    compared: whether its rules could be compared.
    """

    dispute: str
    reading: str
    only: str | None
    differs: list[str]
    compared: bool


class DifferingTextRecord(TypedDict):
    """What the two books print differently of a thing that both have.

    part: what it is, such as a heading.
    name: the label of the thing.
    a: the text of the first book, "" for none.
    b: that of the second book.
    """

    part: str
    name: str
    a: str
    b: str


class DifferingCounterRecord(TypedDict):
    """A counter that differs.

    counter: its name.
    only: `a` or `b`, if only that stack has it; otherwise null.
    shows: what it shows differently, a text for each property.
    """

    counter: str
    only: str | None
    shows: list[str]


class PrintedValueRecord(TypedDict):
    """A counter, and its value of an added factor.

    counter: its name.
    shows: the value.
    """

    counter: str
    shows: str


class DifferingFactorRecord(TypedDict):
    """A factor that a layer adds to a kind of counters, and that differs.

    kind: the kind.
    factor: its name.
    only: `a` or `b`, if only that stack has it; otherwise null.
    type: its type.
    first: the value of counters of which no more is said.
    counters: those with another value, if only one stack has the factor.
    says: what differs, each in a few words.
    """

    kind: str
    factor: str
    only: str | None
    type: str
    first: str
    counters: list[PrintedValueRecord]
    says: list[str]


class DifferingCellRecord(TypedDict):
    """A cell that differs.

    cell: the chart with the keys of the cell.
    a: the content in the first stack; null for none.
    b: the content in the second stack.
    """

    cell: str
    a: str | None
    b: str | None


class DifferingChartRecord(TypedDict):
    """A chart that differs.

    chart: its name.
    only: `a` or `b`, if only that stack has it; otherwise null.
    keys: the keys in both stacks, if they differ; otherwise null.
    cells: the cells that differ.
    """

    chart: str
    only: str | None
    keys: list[str] | None
    cells: list[DifferingCellRecord]


class DifferingAccountsRecord(TypedDict):
    """The texts of the account of a procedure that only one stack has.

    a: those of the first stack.
    b: those of the second stack.
    """

    a: list[str]
    b: list[str]


class ChangeRecord(TypedDict):
    """A change of the rules.

    kind: what changed, such as `rule` or `cell`.
    name: its name.
    label: its name in the reasons of answers.
    operation: `new`, `gone`, `changed`, `renamed` or `printed`.
    status: `witness`, `same`, `only` or `unknown`.
    why: why there is no witness, "" with one.
    witness: a question that it answers differently; null if none was found.
    accounts: the texts of the account that differ; null for none.
    """

    kind: str
    name: str
    label: str
    operation: str
    status: str
    why: str
    witness: ChangeWitnessRecord | None
    accounts: DifferingAccountsRecord | None


class CardSentenceRecord(TypedDict):
    """What differs in one subject of a situation.

    about: the subject, such as `forces`.
    says: what differs, in a sentence.
    """

    about: str
    says: str


class DifferingCardRecord(TypedDict):
    """A situation that differs.

    a: its name in the first stack.
    b: its name in the second stack.
    says: what differs.
    dependents: questions that read what differs.
    """

    a: str
    b: str
    says: list[CardSentenceRecord]
    dependents: list[str]


class DifferencesRecord(TypedDict):
    """Where two stacks answer differently, and where play differs.

    a: the first stack.
    b: the second stack.
    terms: the questions that differ.
    sentences: the sentences of rules that differ, by label.
    notes: statuses, tracks and records that differ.
    disputes: disputes with other readings.
    readings: readings that differ.
    book: what the two books print differently of things that both have.
    counters: counters that differ.
    factors: factors that differ.
    charts: charts that differ.
    actions: actions that differ.
    behavior: what happens differently: plays, procedures, questions of examples.
    changes: each change of the rules, with a witness, a proof, or why neither was found.
    examples: the number that one of the two could not set up, and that of those of what both build on.
    """

    a: str
    b: str
    terms: list[DifferingTermRecord]
    sentences: dict[str, DifferingSentencesRecord]
    notes: list[DifferingNoteRecord]
    disputes: list[DifferingDisputeRecord]
    readings: list[DifferingReadingRecord]
    book: list[DifferingTextRecord]
    counters: list[DifferingCounterRecord]
    factors: list[DifferingFactorRecord]
    charts: list[DifferingChartRecord]
    actions: list[DifferingActionRecord]
    behavior: BehaviorRecord
    changes: list[ChangeRecord]
    examples: dict[str, int]


class DiffRecord(DifferencesRecord):
    """Where two stacks or two situations differ.

    cards: situations that differ.
    equal_layers: a sentence, if both names load the same layers; otherwise null.
    """

    cards: list[DifferingCardRecord]
    equal_layers: str | None
