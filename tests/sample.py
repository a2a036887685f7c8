"""Samples of tests that take long, and of tests whose many cases, or whose size, take most of the time of a run.

Of the first every run has the first case of each kind, and `--all` adds the others. The caller assigns the kinds, so a
new kind is part of every run at once. Of the second a run of the whole suite has some cases, or none, and `--rest`
runs the others; continuous integration runs all of them at once, by `--full`.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

LONG = pytest.mark.long


def first_of_each(everything: Iterable[T], kind: Callable[[T], Hashable]) -> list[Any]:
    """Mark all cases as long except the first of each kind."""
    first_keys: set[Hashable] = set()
    found: list[Any] = []
    for each in everything:
        of = kind(each)
        found.append(pytest.param(each, marks=LONG) if of in first_keys else each)
        first_keys.add(of)
    return found


def sampled(number: int) -> pytest.MarkDecorator:
    """Mark a test of whose cases a run of the whole suite has this number; 0 if others of its file suffice there."""
    return pytest.mark.sampled(number)
