"""Interpreter, generated code and explanations agree on positions of the shipped stacks that nobody thought of.

A million questions: `python -m tests.properties.conform -n 1000000`.
"""

from tests.properties.conform import stacks, sweep


def test_random_positions_of_the_shipped_stacks() -> None:
    found = [sweep(rules, seed) for rules in stacks() for seed in range(2)]
    assert [line for one in found for line in one.wrong] == []
    assert sum(one.asked for one in found) > 3_000
