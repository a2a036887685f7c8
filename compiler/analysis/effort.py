"""How much work the proofs of one question, or of one place, may take: a budget of counted steps.

A step is a part of a formula that is made or looked at. Steps are counted, not seconds, so that a stack is proved alike
on every machine. Who spends more than there is raises `OutOfSteps`; whoever opened the budget catches it, keeps what
was found until then, and says what was not looked at any more (`TooMuchToProve`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# The largest question of the games that come along takes half of this.
MOST_STEPS = 3_000_000
# What a question to z3 counts for, and one on which it gives up: its own steps are limited too (arithmetic/solver.py),
# and cannot be counted alike in every process.
EXACT, GIVEN_UP = 500, 50_000


class OutOfSteps(Exception):  # noqa: N818 -- control flow within the proofs of one place, not an error class
    """There is nothing left of the budget."""


_limit: ContextVar[int] = ContextVar("limit", default=MOST_STEPS)
_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


def limit() -> int:
    """Give the steps of each budget."""
    return _limit.get()


@contextmanager
def limited(steps: int) -> Iterator[None]:
    """Let each budget that is opened meanwhile have so many steps."""
    token = _limit.set(steps)
    try:
        yield
    finally:
        _limit.reset(token)


@contextmanager
def budget() -> Iterator[None]:
    """Open a budget for the proofs of one question or place; budgets inside of it spend from their own."""
    token = _left.set([_limit.get()])
    try:
        yield
    finally:
        _left.reset(token)


def spend(steps: int) -> None:
    """Count steps; where no budget is open they are only bounded by the question itself."""
    left = _left.get()
    if left is not None:
        left[0] -= steps
        if left[0] < 0:
            raise OutOfSteps


def remaining_steps() -> int | None:
    """Give the steps that are left; None where no budget is open."""
    left = _left.get()
    return None if left is None else left[0]
