"""The parts of the record of a difference that are about play: procedures, plays of examples, and witnesses."""

from typing import TypedDict


class DifferingActionRecord(TypedDict):
    """An action that differs.

    action: its name.
    only: `a` or `b`, if only that stack has it; otherwise null.
    """

    action: str
    only: str | None


class WrittenPlaceRecord(TypedDict):
    """A place in a file of rules.

    file: the file.
    line: the line, counted from 1.
    """

    file: str
    line: int


class DifferingPlayRecord(TypedDict):
    """A play or a question of an example, with another outcome.

    act: what is done, or the question.
    a: the outcome in the first stack.
    b: that in the second stack.
    missing_words: words of the position that only one of the two declares.
    example: the title of the example.
    written: where the example is.
    witness: the file of the position; null if it could not be written.
    position: the text of the position.
    """

    act: str
    a: str
    b: str
    missing_words: list[str]
    example: str
    written: WrittenPlaceRecord
    witness: str | None
    position: str


class DifferingRulesRecord(DifferingPlayRecord):
    """A play or a question of an example with another outcome, for each set of rules behind such.

    rules: the rules, cells and procedures that differ.
    differs: the number of plays or questions that differ by these.
    """

    rules: list[str]
    differs: int


class AmendingRuleRecord(WrittenPlaceRecord):
    """A rule by which a procedure differs.

    rule: its label.
    only: `a` or `b`, if only that stack has it; otherwise null.
    cites: items of the sources.
    prose: its sentence.
    """

    rule: str
    only: str | None
    cites: list[str]
    prose: str


class WrittenProcedureRecord(WrittenPlaceRecord):
    """A procedure in one of the stacks.

    cites: items of the sources.
    prose: what it is for.
    text: its steps, from the first that differs to the last.
    """

    cites: list[str]
    prose: str
    text: list[str]


class DifferingPhasesRecord(TypedDict):
    """The titles of the phases of a sequence, in order, if they differ.

    a: those of the first stack.
    b: those of the second stack.
    """

    a: list[str]
    b: list[str]


class DifferingProcedureRecord(TypedDict):
    """A procedure that differs.

    what: `action`, `resolution`, `hook` or `sequence`.
    name: its name.
    only: `a` or `b`, if only that stack has it; otherwise null.
    differs: the number of plays of examples with another outcome because of it.
    of: the number of plays of examples in which it ran.
    tried: the number of further positions in which it was started, if no play of an example differs.
    preferring: whether only what players prefer differs.
    amended_by: the rules by which it differs.
    phases: the phases of a sequence.
    a: the procedure of the first stack; null without it.
    b: that of the second stack.
    play: a play with another outcome; null if none was found.
    """

    what: str
    name: str
    only: str | None
    differs: int
    of: int
    tried: int
    preferring: bool
    amended_by: list[AmendingRuleRecord]
    phases: DifferingPhasesRecord
    a: WrittenProcedureRecord | None
    b: WrittenProcedureRecord | None
    play: DifferingPlayRecord | None


class BehaviorRecord(TypedDict):
    """What happens differently.

    procedures: procedures that differ.
    rules: plays of examples with another outcome, by the rules behind them.
    example_questions: questions of examples with another answer, by the rules behind them.
    """

    procedures: list[DifferingProcedureRecord]
    rules: list[DifferingRulesRecord]
    example_questions: list[DifferingRulesRecord]


class ChangeWitnessRecord(TypedDict):
    """A question that a change answers differently.

    question: the question.
    a: the answer of the first stack.
    b: that of the second stack.
    witness: the file of the position; null if there is none.
    """

    question: str
    a: str
    b: str
    witness: str | None
