"""Interpreter, generated code and explanations agree on random positions of the shipped stacks.

`python -m tests.properties.conform -n 1000000` asks a million questions.
"""

import pytest

from tests.properties.conform import ROUNDS, stacks, sweep
from tests.sample import LONG


@pytest.mark.parametrize(
    ("kind", "seed", "rounds"),
    [
        ("base", 0, 1),
        *(pytest.param(kind, seed, ROUNDS, marks=LONG) for kind in ("base", "variant") for seed in (0, 1)),
    ],
)
def test_random_positions_of_the_shipped_stacks(kind: str, seed: int, rounds: int) -> None:
    found = [sweep(rules, seed, rounds) for rules in stacks((kind,))]
    assert [line for one in found for line in one.wrong] == []
    assert sum(one.question_count for one in found) > 300 * rounds
