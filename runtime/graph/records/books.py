"""The records of what the sources say: errata, disputes."""

from typing import TypedDict

from runtime.graph.records.differing import DifferencesRecord


class NumberedRuleRecord(TypedDict):
    """A rule or ruling with its words.

    number: its number in the book; "" if it has none.
    label: its name in the files.
    text: its sentence.
    """

    number: str
    label: str
    text: str


class ErratumRecord(TypedDict):
    """An answer or correction that changes something for players.

    label: the name of the ruling in the files.
    number: its number in the book; "" if it has none.
    title: its title in the book.
    kind: what it is: `correction`, `clarification` ..
    impact: how much it changes: `none`, `minor`, `major`; "" if that is not said.
    asks: the question that it answers; "" if there is none.
    before: the rules that it changes, as they were.
    now: what holds since.
    current_rules: the rules of the stack that carry it out.
    cites: items of the sources.
    """

    label: str
    number: str
    title: str
    kind: str
    impact: str
    asks: str
    before: list[NumberedRuleRecord]
    now: str
    current_rules: list[NumberedRuleRecord]
    cites: list[str]


class DatedErrataRecord(TypedDict):
    """The errata of a date.

    date: the year, month or day, as 2014-06; "" for those without a date.
    written: the date as it is written out.
    errata: the errata.
    """

    date: str
    written: str
    errata: list[ErratumRecord]


class ErrataRecord(TypedDict):
    """The errata of a stack, by date; the newest come first.

    stack: the stack.
    since: the first date that is listed; "" for all.
    dates: the errata by date.
    undated: the number of those without a date that are left out, as a first date was named.
    without: the number of answers that change nothing for players.
    """

    stack: str
    since: str
    dates: list[DatedErrataRecord]
    undated: int
    without: int


class ReadingRecord(TypedDict):
    """A reading of a dispute.

    reading: its name.
    title: its title.
    cites: items of the sources.
    why: why it is chosen, or not; "" without a reason.
    """

    reading: str
    title: str
    cites: list[str]
    why: str


class OtherReadingRecord(ReadingRecord):
    """A reading that is not chosen.

    stack: the stack that follows it.
    diff: what `diff` prints of the two; null if the stack does not compile.
    """

    stack: str
    diff: DifferencesRecord | None


class DisputeRecord(TypedDict):
    """A contradiction of the sources.

    dispute: its name.
    title: its title.
    question: what the sources answer differently.
    cites: items of the sources.
    layer: its layer.
    file: its file and line.
    chosen: the chosen reading.
    others: the other readings.
    """

    dispute: str
    title: str
    question: str
    cites: list[str]
    layer: str
    file: str
    chosen: ReadingRecord
    others: list[OtherReadingRecord]


class GapRecord(TypedDict):
    """What the sources leave open.

    layer: the layer that says so.
    gap: what is left open.
    """

    layer: str
    gap: str


class DisputesRecord(TypedDict):
    """Where the sources disagree, and what they leave open.

    stack: the stack.
    disputes: the disputes.
    left: after an interrupt, the disputes that were not looked at.
    gaps: what the sources leave open.
    """

    stack: str
    disputes: list[DisputeRecord]
    left: list[str]
    gaps: list[GapRecord]
