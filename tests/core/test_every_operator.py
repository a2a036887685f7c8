"""Every operator in a compiled module: a term that applies it answers as the other consumers of operators do."""

from functools import cache

import pytest

from runtime.engine.module import CompiledModule
from runtime.graph.operators import OPERATORS
from runtime.state.record import Value
from tests.consumers.test_operators import answers, label, operator_terms
from tests.core.agreement import Question, compare, module_of
from tests.sample import sampled


@cache
def program() -> CompiledModule:
    """Compile a term for each operator."""
    return module_of(operator_terms())


@sampled(14)
@pytest.mark.parametrize("name", OPERATORS)
def test_compiled_code_agrees(name: str) -> None:
    given = answers(name)
    for state in {id(state): state for state, _, __ in given}.values():
        questions: dict[Question, Value] = {
            (label("asked", name), arguments): value for other, arguments, value in given if other is state
        }
        found = compare(program(), state, questions)
        assert (found.different, found.refused) == ([], [])
        assert found.same == len(questions)
