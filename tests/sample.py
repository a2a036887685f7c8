"""A few of many that are alike: in every run the first of each kind, with `--all` the others too.

The caller that sweeps over things assigns their kinds, so a new kind is met in every run from its first day.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

LONG = pytest.mark.long


def first_of_each(everything: Iterable[T], kind: Callable[[T], Hashable]) -> list[Any]:
    """Leave the first of each kind to every run, and the others to the long one."""
    first_keys: set[Hashable] = set()
    found: list[Any] = []
    for each in everything:
        of = kind(each)
        found.append(pytest.param(each, marks=LONG) if of in first_keys else each)
        first_keys.add(of)
    return found
