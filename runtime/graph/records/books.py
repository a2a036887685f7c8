"""The records of what the sources say: errata, disputes."""

from typing import TypedDict


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
