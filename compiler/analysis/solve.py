"""Find values for the unknowns under which a formula holds, or show that there are none.

In: a formula over a space. Out: the values that matter, None if no position can make it true, or
`TOO_MANY` when the cases run out of hand (then the question stays open, and is said to be).

Plain backtracking, deciding the first unknown that three-valued evaluation asks for: guards have
some ten atoms, conjunctions prune early, and the assignment that comes out is short enough to read.
What a value settles is left out of the formula below it: of a long list of exceptions, one case looks at few.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeVar

from compiler.analysis.budgets import remaining_steps, spend
from compiler.analysis.expression_text import with_letters
from compiler.analysis.formula import (
    Constant,
    Every,
    Formula,
    Holds,
    Missing,
    Not,
    Plain,
    Same,
    Sum,
    Unknown,
    formula_size,
    simplified_formula,
)
from compiler.analysis.space import Space

# Guards of real games need some hundreds of cases; beyond this a term deserves a position search.
MOST_CASES = 20_000
# A search that has decided so many unknowns one upon the other has lost its way, and would go too deep.
MOST_DECIDED = 300


Part = TypeVar("Part")


class TooManyCases(Enum):
    """The answer when there are too many cases."""

    TOO_MANY = auto()


TOO_MANY = TooManyCases.TOO_MANY

Assignment = dict[int, Plain]


@dataclass(slots=True)
class Budget:
    """A budget: the number of cases that may still be looked at."""

    left: int


def solve(space: Space, *formulas: Formula, example: bool = True) -> Assignment | TooManyCases | None:  # noqa: ARG001
    """Find an assignment under which all formulas hold; without `example` any will do that says there is one."""
    values: Assignment = {}
    budget = Budget(MOST_CASES)
    if _search(Every(formulas), space, values, budget):
        return values
    return TOO_MANY if budget.left <= 0 else None


def minimal_conflict(parts: tuple[Part, ...], closed: Callable[..., bool]) -> tuple[Part, ...]:
    """Return the parts that hold nowhere together without those not needed for that, the first left out first."""
    kept = parts
    for part in parts:
        rest = tuple(other for other in kept if other is not part)
        kept = rest if closed(*rest) else kept
    return kept


def _search(formula: Formula, space: Space, values: Assignment, budget: Budget, deep: int = 0) -> bool:
    """Take what the formula says outright, then try the values of the first unknown that matters.

    The good ones are left in `values`.
    """
    budget.left -= 1
    spend(formula_size(formula, remaining_steps()))
    answer, left = simplified_formula(formula, values)
    if not isinstance(answer, Missing):
        return answer
    if deep >= MOST_DECIDED:
        budget.left = 0
    said = _named_values(left)
    if said is not None and not all(value in space.representative_values(number) for number, value in said.items()):
        return False
    tried = (
        [said]
        if said
        else []
        if said is None
        else [{answer.number: each} for each in space.representative_values(answer.number)]
    )
    for new in tried:
        if budget.left <= 0:
            break
        values.update(new)
        if _search(left, space, values, budget, deep + 1):
            return True
        for number in new:
            values.pop(number)
    return False


def _named_values(formula: Formula) -> Assignment | None:
    """Return the values that parts of a formula name for single unknowns; None if two parts name different ones."""
    found: Assignment = {}
    for part in formula.parts if isinstance(formula, Every) else (formula,):
        match part:
            case Unknown(number):
                value: Plain = True
            case Not(Unknown(number)):
                value = False
            case Same(Unknown(number), Constant(value)) | Same(Constant(value), Unknown(number)):
                pass
            case Holds(Sum(((factor, Unknown(number)),), constant), "=") if factor:
                value = -constant / factor
            case _:
                continue
        if found.setdefault(number, value) != value:
            return None
    return found


def in_words(space: Space, found: Assignment | TooManyCases | None) -> tuple[str, ...]:
    """Write an assignment as a list of facts; what a thing is not is said at once."""
    if not isinstance(found, dict):
        return () if found is None else ("more cases than could be gone through",)
    said: list[str] = []
    denied: dict[str, list[str]] = {}
    for number, value in sorted(found.items()):
        text = with_letters(space.value_text(number, value))
        subject, verb, word = text.rpartition(" is not ")
        if verb and word.isidentifier():
            denied.setdefault(subject, []).append(word)
        else:
            said.append(text)
    return (*said, *(f"{subject} is not {'|'.join(words)}" for subject, words in denied.items()))
