"""Interpreter, generated code and explanations agree on positions of the shipped stacks that nobody thought of.

A million questions: `python -m tests.properties.conform -n 1000000`.
"""

import pytest

from tests.properties.conform import stacks, sweep
from tests.sample import LONG


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("base", 0),
        *(pytest.param(kind, seed, marks=LONG) for kind, seed in (("base", 1), ("variant", 0), ("variant", 1))),
    ],
)
def test_random_positions_of_the_shipped_stacks(kind: str, seed: int) -> None:
    found = [sweep(rules, seed) for rules in stacks((kind,))]
    assert [line for one in found for line in one.wrong] == []
    assert sum(one.asked for one in found) > 700
