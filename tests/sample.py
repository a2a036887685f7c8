"""A few of many that are alike: in every run the first of each kind, with `--all` the others too.

Which kind a thing is of is said by whoever sweeps over them, so a new kind is met in every run from its first day.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest

from compiler.layered.choose import choose_layers, parse_request
from rulewright.library.stacks import Shelves

T = TypeVar("T")

LONG = pytest.mark.long


def first_of_each(everything: Iterable[T], kind: Callable[[T], Hashable]) -> list[Any]:
    """Leave the first of each kind to every run, and the others to the long one."""
    met: set[Hashable] = set()
    found: list[Any] = []
    for each in everything:
        of = kind(each)
        found.append(pytest.param(each, marks=LONG) if of in met else each)
        met.add(of)
    return found


def kind_of_stack(shelves: Shelves, name: str) -> Hashable:
    """Say what is special about a stack: the game, if it names one, the kinds of its layers, and whether it reads."""
    layers = shelves.library.layers
    asked = parse_request(name)
    games = frozenset(each for each in asked.layers if layers[each].kind.text == "base")
    return games, frozenset(layer.kind.text for layer in choose_layers(layers, asked)[0]), bool(asked.readings)
