"""Errors of rules in a graph that they do not fit are suppressed, errors of the program are not."""

from fractions import Fraction
from typing import Any

import pytest

from runtime.play.options import Decision
from runtime.state.record import Record
from runtime.witness.set_up import suppress_unplayable


@pytest.mark.parametrize("value", [None, 3, Fraction(1, 2), "ford", (1, 2), frozenset({4}), Record("order", 1, {})])
def test_a_value_of_another_type_is_suppressed(value: Any) -> None:
    reached = []
    with suppress_unplayable():
        reached.append(value)
        value.no_field_of_this_name  # noqa: B018 - what generated code reads
        reached.append(value)
    assert len(reached) == 1


def test_an_error_of_the_program_is_raised() -> None:
    machine_part: Any = Decision
    with pytest.raises(AttributeError), suppress_unplayable():
        machine_part.no_field_of_this_name  # noqa: B018


def test_a_question_without_an_answer_is_suppressed() -> None:
    with suppress_unplayable():
        raise LookupError
