"""Mutants: graphs altered in one place, with the place and the runs of examples that can detect the alteration.

Kinds are nouns as reports print them; `PLURALS` contains their plural forms for counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.mutation.altered_graph import Path, PathChange, value_at, with_edits
from runtime.mutation.expression_mutants import (
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
    Alterations,
    Names,
)

RULE, CELL, DEFAULT, PROCEDURE, STEP = "rule", "cell", "default", "procedure", "step"
ROUND, NOTE = "rounds of the clock", "note of play"
FIGURE, TRAIT, EXCEPTION, BOUND = "figure", "trait", "exception", "bound"
CONDITION = "condition"
FIRST = "first value"  # of a factor that a layer added to a kind
TEXT = "text"  # of an account
NUMBER = "corrected number"  # of a counter on a card, as a layer corrected it
PART = "changed part"  # of a card, as a layer changed it
LINE = "line of a card"  # of a card, unchanged

PLURALS: Mapping[str, str] = {
    FIRST: "first values of factors", FIGURE: "figures of counters", TRAIT: "traits of counters",
    CELL: "cells of charts", RULE: "rules",
    CONDITION: "conditions of rules", EXCEPTION: "exceptions", DEFAULT: "defaults", BOUND: "bounds of answers",
    PROCEDURE: "procedures", STEP: "steps", ROUND: "rounds of the clock",
    COMPARISON: "comparisons", OPERAND: "operands", CONNECTIVE: "connectives", NEGATION: "negations",
    AMOUNT: "numbers", WORD: "words", ARGUMENT: "arguments", QUANTIFIER: "quantifiers",
    FILTER: "conditions of choices and sets", ARITHMETIC: "signs", ELEMENT: "members of sets", NOTE: "notes of play",
    NUMBER: "corrected numbers of cards", PART: "changed parts of cards", LINE: "lines of cards",
    TEXT: "texts of accounts",
}  # fmt: skip

# Alterations of whole things, without their parts: the measure of a ledger.
WHOLES = frozenset({RULE, CELL, DEFAULT, FIGURE, FIRST, TRAIT, PROCEDURE, STEP, ROUND, NUMBER, PART, TEXT})


@frozen_dataclass
class OriginalRun:
    """A run of an example under the original rules, with its coverage.

    `procedures` were reached, `evaluated` are ids of expressions, `infected` the ids of altered ones whose value
    differed at least once. `question_count` is the number of questions.
    """

    run: Run
    procedures: frozenset[str]
    evaluated: frozenset[int]
    infected: frozenset[int]
    question_count: int


def concerns_all(_: OriginalRun) -> bool:
    """Return that a mutant may change the result of every run."""
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Mutant:
    """One altered place of a graph.

    `name` is that of the enclosing thing; `original` and `replacement` are expressions, or words. `variants` returns
    the altered graphs, of which one has to be detected. `root` is the expression that was altered and `probe` its
    altered form: if their values never differ, no example can detect the alteration. `step` is the enclosing step of a
    procedure.
    """

    kind: str
    name: str
    original: graph.Expr | str
    replacement: graph.Expr | str
    cites: tuple[str, ...]
    origin: graph.Origin
    variants: Callable[[], Iterator[graph.Graph]]
    concerns: Callable[[OriginalRun], bool]
    root: graph.Expr | None = None
    probe: graph.Expr | None = None
    step: graph.Step | None = None
    procedure: str = ""
    singled_out: bool = True
    key: Any = None

    def may_change_result(self, record: OriginalRun) -> bool:
        """Return whether the result of a run may differ: it reached the place, and the alteration changed a value."""
        if not self.concerns(record):
            return False
        if self.root is None or id(self.root) not in record.evaluated:
            return True
        return id(self.probe) in record.infected


def probes_by_root(mutants: Iterable[Mutant]) -> dict[int, list[graph.Expr]]:
    """Return the altered forms of expressions, by the id of the original."""
    probes: dict[int, list[graph.Expr]] = {}
    for mutant in mutants:
        if mutant.root is not None and mutant.probe is not None:
            probes.setdefault(id(mutant.root), []).append(mutant.probe)
    return probes


Words = tuple[graph.Expr | str, graph.Expr | str]  # The original and its replacement.


@frozen_dataclass
class MutatedPart:
    """A named part of a graph, and what all its mutants have in common: the fields of `Mutant` of the same names."""

    rules: graph.Graph
    name: str
    cites: tuple[str, ...]
    origin: graph.Origin
    concerns: Callable[[OriginalRun], bool] = concerns_all
    singled_out: bool = True
    key: Any = None
    step: graph.Step | None = None
    procedure: str = ""

    def mutant(self, kind: str, words: Words, *edits: PathChange, probe: graph.Expr | None = None) -> Mutant:
        """Return the mutant with some values of the graph replaced; `probe` takes the place of the expression there."""
        root = value_at(self.rules, edits[0][0]) if probe is not None else None
        return self.mutant_of_variants(kind, words, lambda: iter((with_edits(self.rules, edits),)), root, probe)

    def mutant_of_variants(
        self, kind: str, words: Words, variants: Callable[[], Iterator[graph.Graph]],
        root: graph.Expr | None = None, probe: graph.Expr | None = None,
    ) -> Mutant:  # fmt: skip
        """Return the mutant with these graphs, of which one has to be detected."""
        return Mutant(
            kind, self.name, *words, self.cites, self.origin, variants, self.concerns, root, probe, self.step,
            self.procedure, self.singled_out, self.key,
        )  # fmt: skip

    def expression_mutants(self, path: Path, names: Names, *, is_observed: bool = True) -> Iterator[Mutant]:
        """Generate the mutants of the expression at a path; if `is_observed`, runs evaluate it as a whole."""
        for each in Alterations(self.rules).alterations_of(value_at(self.rules, path), names):
            probe = each.altered_expr if is_observed else None
            yield self.mutant(each.kind, (each.original, each.replacement), (path, each.altered_expr), probe=probe)
