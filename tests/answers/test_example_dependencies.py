"""The recorded dependencies of an example do not depend on earlier questions."""

import pytest

from runtime.answer.answer import Answer, live_labels
from runtime.answer.interpreter import Interpreter
from runtime.answer.tables import CellContent
from runtime.examples.tracing_interpreter import TracingInterpreter, UntracedInterpreter
from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.record import Value
from tests.answers.differential import answered, questions
from tests.toys.bogged import bog
from tests.toys.boggy import random_state

Heard = Answer | tuple[CellContent, list[graph.TableRow]]


@pytest.mark.parametrize("seed", range(4))
def test_the_tracing_interpreter_records_the_rules_of_each_decision_id(seed: int) -> None:
    rules, state = bog(), random_state(seed)
    leaning = TracingInterpreter(rules, {})
    live: set[str] = set()

    def hear(name: str, _: tuple[Value, ...], found: Heard) -> None:
        if isinstance(found, Answer):
            live.update(live_labels(rules.terms[name], found.mask))

    plain = Interpreter(rules, listen=hear)
    second_questions = list(questions(state, seed, 6))
    for name, arguments in [*second_questions, *second_questions]:
        live.clear()
        leaning.applied_rules = set()
        first = answered(plain.ask, state, name, arguments)
        second = answered(leaning.ask, state, name, arguments)
        if isinstance(first, Answer):
            assert second == first or name == "next_plan"
            assert leaning.applied_rules == live


def test_no_answer_is_reused_after_an_event() -> None:
    rules, state = bog(), random_state(2)
    leaning, plain = TracingInterpreter(rules, {}), Interpreter(rules)
    quiet = UntracedInterpreter(leaning)
    for name, arguments in questions(state, 2, 6):
        for piece in state.in_play():
            change.move(state, piece, (state.hex[piece] + 1) % state.board.size)
            wanted = answered(plain.ask, state, name, arguments)
            if isinstance(wanted, Answer) and name != "next_plan":
                assert leaning.ask(state, name, arguments) == wanted == quiet.ask(state, name, arguments)


def test_an_untraced_interpreter_records_nothing() -> None:
    rules, state = bog(), random_state(3)
    leaning = TracingInterpreter(rules, {})
    quiet = UntracedInterpreter(leaning)
    for name, arguments in questions(state, 3, 4):
        answered(quiet.ask, state, name, arguments)
    assert not leaning.rules
    assert not leaning.terms
    assert not leaning.read
