"""Work budgets of evaluation, in set members (fuel).

Members are counted instead of seconds, so that a limit has the same effect on every machine. An aggregate is charged
with all members of its set when it begins, and so is every other operation whose time grows with a set: construction,
comparison, passing a set to a question, a search over the map, a draw, a change of a collection.
Without an open budget nothing is bounded: the entry points (a command, a decision in play) open one and catch
`TooMuchWork`. Steps of procedures count as members.

Callers that run much code of others (examples, and repairs of them) open an allowance in addition: all budgets opened
within it are charged to it.
"""

from collections.abc import Callable, Collection, Iterator, Sized
from contextlib import contextmanager
from typing import TypeVar

from runtime.graph.identity_memo import memoized_by_identity

# The default budget, more than any decision needs in the games of the tests.
MOST_MEMBERS = 6_000_000
# The divisor of budgets for the interpreter, which is slower.
SLOW = 20
# The size up to which a set is not charged: its iteration takes no longer than the rest of the operation.
HANDFUL = 32
# The limits of the search of obligations, in decisions: for one option, for all options of a decision together, and the
# minimum for an option. The machine and compiled modules share them.
TRIALS_OF_OPTION, TRIALS_OF_DECISION, LEAST_TRIALS = 500, 2_500, 12

S = TypeVar("S", bound=Sized)
V = TypeVar("V")


class TooMuchWork(Exception):  # noqa: N818 -- not an error of the program, but a finding about the rules.
    """Raised where a budget is exhausted."""


class _RemainingBudget:
    """The rest of the current budget, its initial size, the size of a new one, and the allowance.

    `allowance` is the rest of the allowance when the budget was opened.
    """

    __slots__ = ("allowance", "initial_members", "limit", "members")

    def __init__(self) -> None:
        self.members = self.initial_members = self.allowance = float("inf")
        self.limit = MOST_MEMBERS

    def begin(self, members: float) -> None:
        """Open a budget of at most the allowance."""
        self.initial_members = self.members = min(members, self.allowance)

    def deduct(self) -> None:
        """Charge the use of the current budget to the allowance."""
        if self.allowance != float("inf"):
            self.allowance -= self.initial_members - self.members


_LEFT = _RemainingBudget()


def budget_limit() -> int:
    """Return the size of a new budget."""
    return _LEFT.limit


def remaining_work() -> float:
    """Return the rest of the current budget."""
    return max(0, _LEFT.members)


@contextmanager
def limited_budget(members: int) -> Iterator[None]:
    """Set the size of budgets opened within the context, in members of sets that are iterated over."""
    before, _LEFT.limit = _LEFT.limit, members
    try:
        yield
    finally:
        _LEFT.limit = before


@contextmanager
def open_budget(share: int = 1) -> Iterator[None]:
    """Open a budget of the current limit, or of 1/`share` of it; an enclosing budget is suspended."""
    with _opened(budget_limit() // share):
        yield


@contextmanager
def suspended_budget() -> Iterator[None]:
    """Suspend the current budget, for evaluations that only explain."""
    with _opened(float("inf")):
        yield


@contextmanager
def _opened(members: float) -> Iterator[None]:
    _LEFT.deduct()
    outer_members = _LEFT.members
    _LEFT.begin(members)
    try:
        yield
    finally:
        _LEFT.deduct()
        _LEFT.begin(outer_members)


@contextmanager
def allow_members(members: float, *, is_separate: bool = False) -> Iterator[Callable[[], float]]:
    """Limit all budgets opened within the context to a total; yields a function that returns the use so far.

    The use is charged to an enclosing allowance, whose rest is an upper limit; with `is_separate` it is neither charged
    nor limited.
    """
    _LEFT.deduct()
    outer_members, outer_limit = _LEFT.members, _LEFT.allowance
    limit = members if is_separate else min(members, outer_limit)
    _LEFT.allowance = limit
    _LEFT.begin(limit)

    def used_members() -> float:
        return limit - (_LEFT.allowance - (_LEFT.initial_members - _LEFT.members))

    try:
        yield used_members
    finally:
        spent = 0 if is_separate else used_members()
        _LEFT.allowance = outer_limit - spent
        _LEFT.begin(outer_members)


def spend(members: int) -> None:
    """Charge work without a set as so many members; `check_limit` raises later."""
    _LEFT.members -= members


def check_limit() -> None:
    """Raise `TooMuchWork` if the budget is overdrawn."""
    if _LEFT.members < 0:
        raise TooMuchWork


def charge(members: int) -> None:
    """Charge so many members; raises `TooMuchWork` if the budget does not cover them."""
    _LEFT.members -= members
    if _LEFT.members < 0:
        raise TooMuchWork


def passed(members: S) -> S:
    """Charge the members of a set that is iterated over, and return the set; `TooMuchWork` if the budget is spent."""
    _LEFT.members -= len(members)
    if _LEFT.members < 0:
        raise TooMuchWork
    return members


def passed_if_many(members: S) -> S:
    """Return a set that is mostly small, such as the neighbors of a hex; if it is large, charge it as `passed` does."""
    return passed(members) if len(members) > HANDFUL else members


def compared(members: Collection[V]) -> Collection[V]:
    """Return a set that is mostly small, for a test of membership; a large one with constant time, as it is charged."""
    if len(members) <= HANDFUL:
        return members
    if not isinstance(members, tuple):
        return passed(members)
    charge(1)
    return hashed_members(members)


# A piece that may be set up in each hex of a large area asks as often whether a hex is in that area.
@memoized_by_identity(64)
def hashed_members(members: tuple[V, ...]) -> frozenset[V]:
    """Return the members of a large set with constant time of membership."""
    return frozenset(members)
