"""The records of games: `play`, `replay`, `audit`, `show`."""

from typing import TypedDict


class ContradictionRecord(TypedDict):
    """A step that was carried out although its precondition does not hold.

    precondition: the precondition.
    procedure: the procedure.
    step: the step.
    times: how often that was so.
    where: the first time.
    sentence: the sentence of the precondition.
    because: the reasons why it does not hold.
    question: the question of the rules that the precondition asks; "" without one.
    position: the file of the position; "" without one.
    left_out: what the file cannot have of the position.
    """

    precondition: str
    procedure: str
    step: str
    times: int
    where: str
    sentence: str
    because: list[str]
    question: str
    position: str
    left_out: list[str]


class BrokenFactRecord(TypedDict):
    """A step after which an `always` fact does not hold.

    fact: the fact.
    procedure: the procedure.
    step: the step.
    times: how often that was so.
    where: the first time.
    culprits: what of the position breaks it.
    position: the file of the position; "" without one.
    left_out: what the file cannot have of the position.
    sentence: the sentence of the fact.
    """

    fact: str
    procedure: str
    step: str
    times: int
    where: str
    culprits: list[str]
    position: str
    left_out: list[str]
    sentence: str


class ExecutedStepRecord(TypedDict):
    """A precondition in a procedure that was carried out.

    precondition: the precondition.
    procedure: the procedure.
    steps: how often its step was reached.
    evaluated: how often the precondition was asked.
    contradicted: how often it did not hold.
    """

    precondition: str
    procedure: str
    steps: int
    evaluated: int
    contradicted: int


class UncheckedStepRecord(TypedDict):
    """A procedure that never asks the question of a precondition.

    procedure: the procedure.
    precondition: the precondition.
    question: the question.
    """

    procedure: str
    precondition: str
    question: str


class AuditRecord(TypedDict):
    """What examples and games show of preconditions and `always` facts.

    stack: the stack.
    games: the number of games that were played.
    cards: the situations of the stack.
    examples: the number of examples whose acts were carried out.
    preconditions: the number of preconditions.
    evaluated: how often a precondition was asked before a step.
    contradictions: the steps that preconditions forbid.
    facts: the number of facts that were checked after each step.
    broken_facts: the facts that a step broke.
    executed: the preconditions by procedure, where its step was reached.
    never_executed: procedures with preconditions of which no step was carried out.
    unchecked: procedures that never ask the question of a precondition.
    unplayed: procedures and phases that no game carried out.
    stopped: why games stopped.
    printed_facts: the number of facts about printed values, which `check` compares with the counters.
    """

    stack: str
    games: int
    cards: list[str]
    examples: int
    preconditions: int
    evaluated: int
    contradictions: list[ContradictionRecord]
    facts: int
    broken_facts: list[BrokenFactRecord]
    executed: list[ExecutedStepRecord]
    never_executed: list[str]
    unchecked: list[UncheckedStepRecord]
    unplayed: list[str]
    stopped: list[str]
    printed_facts: int
