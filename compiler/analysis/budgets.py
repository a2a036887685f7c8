"""Budgets of counted steps, which bound the work that the proofs of one question, or of one place, may take.

A step is a part of a formula that is built or visited. Steps are counted instead of seconds, so that a stack is proved
alike on every machine. Work beyond the budget raises `OutOfSteps`; the code that opened the budget catches it, keeps
what was found until then, and reports the rest as unexamined (`TooMuchToProve`).

All proofs of a stack share a budget as well: many places that each stay within theirs take as long as one that does
not. What is left of it bounds the budgets that are opened later. A proof that is read from a memo is charged the steps
that it originally took, so a run with that memo stops in the same place as a run without it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Self

# The largest question of the games in this repository takes half of this.
MOST_PROOF_STEPS = 3_000_000
# The budget of a stack, in budgets of one question. The largest game in this repository takes a third of one.
STACK = 3
# The steps charged for a query to z3, and for one on which it gives up: its own steps are limited too
# (arithmetic/solver.py), and cannot be counted alike in every process.
EXACT, GIVEN_UP = 500, 50_000


class OutOfSteps(Exception):  # noqa: N818 -- control flow within the proofs of one place, not an error class
    """The signal that a budget is spent."""


_limit: ContextVar[int] = ContextVar("limit", default=MOST_PROOF_STEPS)
_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


def step_limit() -> int:
    """Return the number of steps of each budget."""
    return _limit.get()


@contextmanager
def limit_steps(steps: int) -> Iterator[None]:
    """Limit each budget that is opened in this context to a number of steps."""
    token = _limit.set(steps)
    try:
        yield
    finally:
        _limit.reset(token)


class _StackBudget:
    """The budget of a whole stack: its steps in all, and those that are left."""

    __slots__ = ("left", "steps")

    def __init__(self, steps: int) -> None:
        """Start with the given number of steps."""
        self.left = self.steps = steps


_pool: ContextVar[_StackBudget | None] = ContextVar("pool", default=None)


@contextmanager
def budget_of_stack() -> Iterator[_StackBudget]:
    """Open a budget for all proofs of a stack."""
    pool = _StackBudget(STACK * max(_limit.get(), MOST_PROOF_STEPS))
    token = _pool.set(pool)
    try:
        yield pool
    finally:
        _pool.reset(token)


def charge_stored_steps(steps: int) -> None:
    """Subtract the steps that a memoized proof originally took from the budget of the stack."""
    pool = _pool.get()
    if pool is not None:
        pool.left = max(0, pool.left - steps)


def steps_spent() -> int:
    """Return the number of steps that the stack has spent."""
    pool = _pool.get()
    return 0 if pool is None else pool.steps - pool.left


def has_full_budget() -> bool:
    """Return whether the stack has at least a full budget left; with less, proofs may stop sooner."""
    pool = _pool.get()
    return pool is None or pool.left >= _limit.get()


class budget:  # noqa: N801 -- read as a verb: `with budget():`
    """A budget for the proofs of one question or place; nested budgets have separate steps.

    `steps` is its size: zero where the stack has nothing left.
    """

    def __init__(self) -> None:
        pool = _pool.get()
        self.steps = _limit.get() if pool is None else min(_limit.get(), pool.left)
        self._left = [self.steps]
        self._token: Token[list[int] | None] | None = None

    def __enter__(self) -> Self:
        self._token = _left.set(self._left)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._token is not None
        _left.reset(self._token)
        charge_stored_steps(self.steps - max(0, self._left[0]))


def spend_steps(steps: int) -> None:
    """Count steps, and raise `OutOfSteps` beyond the innermost open budget; without a budget, do nothing."""
    left = _left.get()
    if left is not None:
        left[0] -= steps
        if left[0] < 0:
            raise OutOfSteps


def remaining_steps() -> int | None:
    """Return the steps left in the innermost open budget; None where no budget is open."""
    left = _left.get()
    return None if left is None else left[0]
