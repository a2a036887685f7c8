"""Stored verdicts of a solver, which outlive a process: whether formulas are satisfiable together.

After an edit of a rule most queries about its term are the same as before: which other rules can be live, which two of
them at once. A verdict is stored under a hash of the formulas, with the texts of unknowns, so it is valid whatever else
has changed; assignments are not stored, as others would do as well. A stored verdict is charged the steps that
computing it would take (budgets.py), so a budget ends in the same place without the store.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any
from weakref import WeakKeyDictionary

from compiler.analysis import formula
from compiler.analysis.budgets import EXACT, GIVEN_UP, remaining_steps, spend_steps
from compiler.analysis.proof_context import ProofStrategy
from compiler.analysis.solve import TOO_MANY, Assignment, TooManyCases
from compiler.analysis.space import Space, UnknownDomain
from compiler.query.traces import StoredTrace, TraceStore, content_hash, hash_texts

# The stored verdicts: unsatisfiable, satisfiable, undecided.
CANNOT, CAN, UNSETTLED = 0, 1, 2
NOTHING_READ = hash_texts()


def memoizing_strategy(strategy: ProofStrategy, store: TraceStore | None) -> ProofStrategy:
    """Return a strategy that computes no verdict twice; without a store the strategy itself."""
    if store is None:
        return strategy
    hashes: WeakKeyDictionary[Space, _Hashes] = WeakKeyDictionary()

    def solve(space: Space, *formulas: formula.Formula, example: bool = True) -> Assignment | TooManyCases | None:
        if space not in hashes:
            hashes[space] = _Hashes(space.unknowns)
        key = hash_texts("verdict", *map(hashes[space].hash_of, formulas))
        known = next((each.answer for each in store.traces(key)), None)
        if known is None or (known == CAN and example):
            found = strategy.solve(space, *formulas, example=example)
            if known is None:
                store.add(key, StoredTrace((), NOTHING_READ, _verdict_code(found)))
            return found
        spend_steps(EXACT + formula.formula_size(formula.Conjunction(formulas), remaining_steps()))
        if known == UNSETTLED:
            spend_steps(GIVEN_UP)
            return TOO_MANY
        return None if known == CANNOT else {}

    return ProofStrategy(strategy.translator, solve)


def _verdict_code(found: Assignment | TooManyCases | None) -> int:
    return UNSETTLED if isinstance(found, TooManyCases) else CANNOT if found is None else CAN


@dataclass(slots=True)
class _Hashes:
    """Hashes of formulas over one space, by identity; a reference to each formula keeps its identity unique."""

    questions: list[UnknownDomain]
    _known: dict[int, tuple[formula.Formula | formula.Amount, str]] = field(default_factory=dict)

    def hash_of(self, part: formula.Formula | formula.Amount) -> str:
        """Return a hash of the content of a formula or an amount."""
        known = self._known.get(id(part))
        if known is None:
            known = self._known[id(part)] = part, hash_texts(type(part).__name__, *self._hash_parts(part))
        return known[1]

    def _hash_parts(self, part: formula.Formula | formula.Amount) -> Iterable[str]:
        match part:
            case formula.Unknown(number):
                return (self._unknown(number),)
            case formula.Lookup(_, keys, component, table):
                return component, content_hash(table), *map(self.hash_of, keys)
            case formula.OneOf(numbers, rows):
                return *map(self._unknown, numbers), *sorted(map(repr, rows))
            case _:
                return [self._hash_of_value(getattr(part, each.name)) for each in fields(part)]

    def _hash_of_value(self, value: Any) -> str:
        """Return a hash of a formula, an amount, a tuple with such parts, or a plain value."""
        if isinstance(value, tuple):
            return hash_texts(*map(self._hash_of_value, value))
        return self.hash_of(value) if isinstance(value, formula.Formula | formula.Amount) else repr(value)

    def _unknown(self, number: int) -> str:
        question = self.questions[number]
        return f"{question.text}: {question.domain!r}"
