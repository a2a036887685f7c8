"""A mutant: a graph altered in one place, what that place is, and which runs of examples can tell it from the original.

Kinds are nouns; `PLURALS` is how their numbers are told.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.mutation.expressions import (
    AMOUNT,
    ARGUMENT,
    ARITHMETIC,
    COMPARISON,
    CONNECTIVE,
    ELEMENT,
    FILTER,
    NEGATION,
    OPERAND,
    QUANTIFIER,
    WORD,
)

HOUSE = "house"
RULE, CELL, DEFAULT, PROCEDURE, STEP, ORDER, ROUND = "rule", "cell", "default", "procedure", "step", "order", "round"
FIGURE, TRAIT, EXCEPTION, BOUND, NOTE = "figure", "trait", "exception", "bound", "note"
CONDITION = "condition"
FIRST = "first value"  # of a factor that a layer added to a kind
TEXT = "text"  # of an account
NUMBER = "number"  # of a counter on a card, as a layer corrected it
PART = "part"  # of a card, as a layer changed it
LINE = "line"  # of a card, as it stands
REGION = "region"

PLURALS: Mapping[str, str] = {
    FIRST: "first values of factors", FIGURE: "figures of counters", TRAIT: "traits of counters",
    CELL: "cells of charts", RULE: "rules",
    CONDITION: "conditions of rules", EXCEPTION: "exceptions", DEFAULT: "defaults", BOUND: "bounds of answers",
    PROCEDURE: "procedures", STEP: "steps", ORDER: "orders of two steps", ROUND: "rounds of the clock",
    COMPARISON: "comparisons", OPERAND: "operands", CONNECTIVE: "connectives", NEGATION: "negations",
    AMOUNT: "numbers", WORD: "words", ARGUMENT: "arguments", QUANTIFIER: "quantifiers",
    FILTER: "conditions of choices and sets", ARITHMETIC: "signs", ELEMENT: "members of sets", NOTE: "notes of play",
    NUMBER: "corrected numbers of cards", PART: "changed parts of cards", LINE: "lines of cards",
    REGION: "hexes of regions", TEXT: "texts of accounts",
}  # fmt: skip

# What a whole thing says, without looking inside: what a ledger is measured by.
WHOLES = frozenset({RULE, CELL, DEFAULT, FIGURE, FIRST, TRAIT, PROCEDURE, STEP, ORDER, ROUND, NUMBER, PART, TEXT})


@dataclass(frozen=True, slots=True)
class Record:
    """A run of an example as the rules stand, and what it came by.

    `procedures` were come by, `evaluated` are ids of expressions, `infected` the ids of altered ones that came out
    otherwise at least once. `question_count` counts the questions.
    """

    run: Run
    procedures: frozenset[str]
    evaluated: frozenset[int]
    infected: frozenset[int]
    question_count: int


@dataclass(frozen=True, slots=True, eq=False)
class Mutant:
    """One altered place of a graph.

    `name` is that of the thing it is in; `was` and `now` are expressions, or words. `variants` gives the altered
    graphs, of which it is enough that one is noticed. `root` is the expression that was altered and `probe` what
    it is then: where that never comes out otherwise no example can notice. `step` is the step of a procedure it is in.
    """

    what: str
    name: str
    was: graph.Expr | str
    now: graph.Expr | str
    cites: tuple[str, ...]
    origin: graph.Origin
    variants: Callable[[], Iterator[graph.Graph]]
    concerns: Callable[[Record], bool]
    root: graph.Expr | None = None
    probe: graph.Expr | None = None
    step: graph.Step | None = None
    procedure: str = ""
    singled_out: bool = True
    key: Any = field(default=None)

    def can_notice(self, record: Record) -> bool:
        """Say whether a run may come out otherwise: it came by the place, and what stands there made a difference."""
        if not self.concerns(record):
            return False
        if self.root is None or id(self.root) not in record.evaluated:
            return True
        return id(self.probe) in record.infected
