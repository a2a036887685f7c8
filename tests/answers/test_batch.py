"""A batch of questions has the answers of single questions."""

import numpy as np

from bench.batch import dense_answers
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from tests.toys.bogged import bog
from tests.toys.boggy import random_state


def test_a_batch_has_the_answers_of_the_interpreter() -> None:
    table = dense_answers(GeneratedEvaluator(bog()), "result")
    assert table is not None
    odds, dice = np.divmod(np.arange(24), 6)
    found = table.decode_answers(table.ask(odds, dice))
    state, interpreter = random_state(1), Interpreter(bog())
    assert found == [
        interpreter.ask(state, "result", (table.axes[0][o], table.axes[1][d])).value
        for o, d in zip(odds, dice, strict=True)
    ]
    assert table.numbers is not None
    assert table.numbers[table.ask(odds, dice)].sum() == sum(found)


def test_columns_are_encoded_by_value() -> None:
    table = dense_answers(GeneratedEvaluator(bog()), "result")
    assert table is not None
    assert table.decode_answers(table.ask(table.encode(0, [2, 2]), table.encode(1, [1, 6]))) == [2, 3]


def test_terms_that_depend_on_the_position_have_no_batch() -> None:
    compiled = GeneratedEvaluator(bog())
    for name in ("price", "may_enter", "ground_of", "calm", "next_plan"):
        assert dense_answers(compiled, name) is None
