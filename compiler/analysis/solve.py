"""A solver by cases: find values for the unknowns under which formulas hold, or prove that there are none.

In: formulas over a space. Out: an assignment of the relevant unknowns, None if the formulas are unsatisfiable, or
`TOO_MANY` when the cases exceed the budget (then the question is reported as open).

The algorithm is backtracking with unit propagation (Davis, Logemann, Loveland, *A Machine Program for Theorem-Proving*,
1962); it branches on the first unknown that three-valued evaluation returns. Guards have some ten atoms, conjunctions
prune early, and the resulting assignment is short enough to read. Each level simplifies the formula by the values
assigned above it, so that in a long list of exceptions a case visits few.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeVar

from compiler.analysis.budgets import remaining_steps, spend_steps
from compiler.analysis.expression_text import with_letters
from compiler.analysis.formula import (
    Conjunction,
    Constant,
    Equality,
    Formula,
    Holds,
    MissingUnknown,
    Negation,
    PlainValue,
    Sum,
    Unknown,
    formula_size,
    simplified_formula,
)
from compiler.analysis.space import Space

# Guards of real games need some hundreds of cases; beyond this limit a term needs a position search.
MOST_CASES = 20_000
# A deeper search would exceed the stack, and is unlikely to succeed.
MOST_DECIDED = 300


Part = TypeVar("Part")


class TooManyCases(Enum):
    """The result of a search that exceeds its budget."""

    TOO_MANY = auto()


TOO_MANY = TooManyCases.TOO_MANY

Assignment = dict[int, PlainValue]


@dataclass(slots=True)
class _CaseBudget:
    """The number of cases that may still be visited."""

    remaining_cases: int


def solve(space: Space, *formulas: Formula, example: bool = True) -> Assignment | TooManyCases | None:  # noqa: ARG001
    """Find an assignment under which all formulas hold; without `example` any satisfying assignment will do."""
    values: Assignment = {}
    budget = _CaseBudget(MOST_CASES)
    if _search(Conjunction(formulas), space, values, budget):
        return values
    return TOO_MANY if budget.remaining_cases <= 0 else None


def minimal_conflict(parts: tuple[Part, ...], closed: Callable[..., bool]) -> tuple[Part, ...]:
    """Return a minimal subset of parts that cannot hold together; earlier parts are dropped first."""
    conflict = parts
    for part in parts:
        rest = tuple(other for other in conflict if other is not part)
        conflict = rest if closed(*rest) else conflict
    return conflict


def _search(formula: Formula, space: Space, values: Assignment, budget: _CaseBudget, deep: int = 0) -> bool:
    """Assign the values that the formula determines, then try those of the first relevant unknown.

    A satisfying assignment is left in `values`.
    """
    budget.remaining_cases -= 1
    spend_steps(formula_size(formula, remaining_steps()))
    answer, left = simplified_formula(formula, values)
    if not isinstance(answer, MissingUnknown):
        return answer
    if deep >= MOST_DECIDED:
        budget.remaining_cases = 0
    named_values = _named_values(left)
    if named_values is not None and not all(
        value in space.representative_values(number) for number, value in named_values.items()
    ):
        return False
    tried = (
        [named_values]
        if named_values
        else []
        if named_values is None
        else [{answer.number: each} for each in space.representative_values(answer.number)]
    )
    for new in tried:
        if budget.remaining_cases <= 0:
            break
        values.update(new)
        if _search(left, space, values, budget, deep + 1):
            return True
        for number in new:
            values.pop(number)
    return False


def _named_values(formula: Formula) -> Assignment | None:
    """Return the values that conjuncts require of single unknowns; None if two conjuncts require different ones."""
    found: Assignment = {}
    for part in formula.parts if isinstance(formula, Conjunction) else (formula,):
        match part:
            case Unknown(number):
                value: PlainValue = True
            case Negation(Unknown(number)):
                value = False
            case Equality(Unknown(number), Constant(value)) | Equality(Constant(value), Unknown(number)):
                pass
            case Holds(Sum(((factor, Unknown(number)),), constant), "=") if factor:
                value = -constant / factor
            case _:
                continue
        if found.setdefault(number, value) != value:
            return None
    return found


def assignment_texts(space: Space, found: Assignment | TooManyCases | None) -> tuple[str, ...]:
    """Format an assignment as a list of facts; negative facts about one subject are joined."""
    if not isinstance(found, dict):
        return () if found is None else ("more cases than could be gone through",)
    facts: list[str] = []
    denied: dict[str, list[str]] = {}
    for number, value in sorted(found.items()):
        text = with_letters(space.value_text(number, value))
        subject, verb, word = text.rpartition(" is not ")
        if verb and word.isidentifier():
            denied.setdefault(subject, []).append(word)
        else:
            facts.append(text)
    return (*facts, *(f"{subject} is not {'|'.join(words)}" for subject, words in denied.items()))
