"""How much work an answer may take: a budget of members that passes over sets go through.

Members are counted, not seconds, so that a game goes alike on every machine. A pass counts all the members of its set
as it begins, and so does whatever else takes longer the more members there are: to make a set or to look into one, to
compare two, to hand one to a question, to search a map, to draw, to change what keeps many things. Where no budget is
open nothing is bounded: whoever asks once (a command, a decision in play) opens one, and catches `TooMuchWork`. Steps
of procedures count as members.

Who plays much that others have written (examples, and what is tried to mend them) opens an allowance besides: all
budgets that are opened within it take from it.
"""

from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from typing import TypeVar

# More than any decision takes in the games that the tests play.
MOST_MEMBERS = 6_000_000
# Who asks the interpreter, which explains and takes its time, has so many times less.
SLOW = 20
# So many members are looked through in the time of what is done with them anyway.
HANDFUL = 32
# Where an offer must come to something: how many decisions are tried for an option to find out whether it can, for all
# options of a decision together, and for an option at least. The machine and compiled modules give up at the same.
TRIALS_OF_OPTION, TRIALS_OF_DECISION, LEAST_TRIALS = 500, 2_500, 12

S = TypeVar("S", bound=Sized)


class TooMuchWork(Exception):  # noqa: N818 -- not an error of the program, but a finding about the rules.
    """A budget is used up."""


class _RemainingBudget:
    """What is left of the budget that is open, what it began with, what a new one begins with, and the allowance.

    `allowed` is what was left of the allowance when the budget was opened.
    """

    __slots__ = ("allowed", "began", "limit", "members")

    def __init__(self) -> None:
        self.members = self.began = self.allowed = float("inf")
        self.limit = MOST_MEMBERS

    def begin(self, members: float) -> None:
        """Open a budget, no larger than the allowance."""
        self.began = self.members = min(members, self.allowed)

    def deduct(self) -> None:
        """Take what the open budget used from the allowance."""
        if self.allowed != float("inf"):
            self.allowed -= self.began - self.members


_LEFT = _RemainingBudget()


def budget_limit() -> int:
    """Return the members that passes may go through."""
    return _LEFT.limit


def remaining_work() -> float:
    """Return what is left of the budget that is open."""
    return max(0, _LEFT.members)


@contextmanager
def limited_budget(members: int) -> Iterator[None]:
    """Let each budget that is opened meanwhile have so many members."""
    before, _LEFT.limit = _LEFT.limit, members
    try:
        yield
    finally:
        _LEFT.limit = before


@contextmanager
def open_budget(share: int = 1) -> Iterator[None]:
    """Open a budget, or one of so many shares of it; one that is open already waits meanwhile."""
    with _opened(budget_limit() // share):
        yield


@contextmanager
def suspended_budget() -> Iterator[None]:
    """Leave the budget that is open alone: for what is asked by somebody who only watches."""
    with _opened(float("inf")):
        yield


@contextmanager
def _opened(members: float) -> Iterator[None]:
    _LEFT.deduct()
    waiting = _LEFT.members
    _LEFT.begin(members)
    try:
        yield
    finally:
        _LEFT.deduct()
        _LEFT.begin(waiting)


@contextmanager
def allow_members(members: float, *, apart: bool = False) -> Iterator[Callable[[], float]]:
    """Let all that is done meanwhile go through so many members, whatever budgets it opens; gives what it has used.

    What is used is taken from an allowance that is open already, and no more is allowed than that has left; `apart`: it
    is not, and as many are allowed as are asked for.
    """
    _LEFT.deduct()
    waiting, before = _LEFT.members, _LEFT.allowed
    given = members if apart else min(members, before)
    _LEFT.allowed = given
    _LEFT.begin(given)

    def used() -> float:
        return given - (_LEFT.allowed - (_LEFT.began - _LEFT.members))

    try:
        yield used
    finally:
        spent = 0 if apart else used()
        _LEFT.allowed = before - spent
        _LEFT.begin(waiting)


def spend(members: int) -> None:
    """Count work that passes over no set as so many members; `hold` stops it."""
    _LEFT.members -= members


def check_limit() -> None:
    """Stop where more was spent than there is."""
    if _LEFT.members < 0:
        raise TooMuchWork


def charge(members: int) -> None:
    """Count work that touches so many members, and stop where there was not so much left."""
    _LEFT.members -= members
    if _LEFT.members < 0:
        raise TooMuchWork


def passed(members: S) -> S:
    """Count the members of a set that is passed over; give the set."""
    _LEFT.members -= len(members)
    if _LEFT.members < 0:
        raise TooMuchWork
    return members


def passed_if_many(members: S) -> S:
    """Count the members of a set that ordinarily has a handful, as the neighbors of a hex, where it has more."""
    return passed(members) if len(members) > HANDFUL else members
