"""The record of a difference between two stacks: `diff`."""

from typing import Any, TypedDict


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


class DiffRecord(TypedDict):
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
    cards: situations that differ.
    equal_layers: a sentence, if both names load the same layers; otherwise null.
    """

    a: str
    b: str
    terms: list[DifferingTermRecord]
    sentences: dict[str, Any]
    notes: list[Any]
    disputes: list[Any]
    readings: list[Any]
    book: list[Any]
    counters: list[Any]
    factors: list[Any]
    charts: list[Any]
    actions: list[Any]
    behavior: dict[str, Any]
    changes: list[Any]
    examples: dict[str, int]
    cards: list[Any]
    equal_layers: str | None
