"""Interpreter, generated code and explanations agree on positions of the shipped stacks that nobody thought of.

A million questions: `python -m tests.properties.conform -n 1000000`.
"""

import pytest

from tests.properties.conform import stacks, sweep
from tests.sample import LONG


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=LONG)])
def test_random_positions_of_the_shipped_stacks(seed: int) -> None:
    found = [sweep(rules, seed) for rules in stacks()]
    assert [line for one in found for line in one.wrong] == []
    assert sum(one.asked for one in found) > 1_500
