"""How much work an answer may take: a budget of members that passes over sets go through.

Members are counted, not seconds, so that a game goes alike on every machine. A pass counts all the members of its set
as it begins. Where no budget is open nothing is bounded: whoever asks once (a command, a decision in play) opens
one, and catches `TooMuchWork`.
"""

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from typing import TypeVar

# More than any decision takes in the games that the tests play.
MOST_MEMBERS = 50_000_000
# Who asks the interpreter, which explains and takes its time, has so many times less.
SLOW = 100

S = TypeVar("S", bound=Sized)


class TooMuchWork(Exception):  # noqa: N818 -- not an error of the program, but a finding about the rules.
    """A budget is used up."""


class _Left:
    """What is left of the budget that is open, and what a new one begins with."""

    __slots__ = ("limit", "members")

    def __init__(self) -> None:
        self.members = float("inf")
        self.limit = MOST_MEMBERS


_LEFT = _Left()


def limit() -> int:
    """Give the members that passes may go through."""
    return _LEFT.limit


def left() -> float:
    """Give what is left of the budget that is open."""
    return max(0, _LEFT.members)


@contextmanager
def limited(members: int) -> Iterator[None]:
    """Let each budget that is opened meanwhile have so many members."""
    before, _LEFT.limit = _LEFT.limit, members
    try:
        yield
    finally:
        _LEFT.limit = before


@contextmanager
def bounded(share: int = 1) -> Iterator[None]:
    """Open a budget, or one of so many shares of it; one that is open already waits meanwhile."""
    before, _LEFT.members = _LEFT.members, limit() // share
    try:
        yield
    finally:
        _LEFT.members = before


@contextmanager
def unbounded() -> Iterator[None]:
    """Leave the budget that is open alone: for what is asked by somebody who only watches."""
    before, _LEFT.members = _LEFT.members, float("inf")
    try:
        yield
    finally:
        _LEFT.members = before


def passed(members: S) -> S:
    """Count the members of a set that is passed over; give the set."""
    _LEFT.members -= len(members)
    if _LEFT.members < 0:
        raise TooMuchWork
    return members
