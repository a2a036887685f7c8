"""The generated code gives every answer that the interpreter gives, decision ids included."""

import pytest

from runtime.answer.answer import Answer
from runtime.answer.explain import APPLIED, Explainer
from runtime.answer.generate import Compiled, module
from runtime.answer.interpreter import Interpreter
from tests.answers.differential import answered, compare, same
from tests.toys.boggy import CARTS, questions, random_state


@pytest.mark.parametrize("seed", range(12))
def test_every_question_about_random_positions(seed: int) -> None:
    state = random_state(seed)
    interpreter, compiled = Interpreter(CARTS), Compiled(CARTS)
    for term, arguments in questions(state):
        first = answered(interpreter.ask, state, term, arguments)
        assert same(first, answered(compiled.ask, state, term, arguments)), (term, arguments)
        alone = first.value if isinstance(first, Answer) else first
        assert same(alone, answered(compiled.value, state, term, arguments)), (term, arguments)


@pytest.mark.parametrize("seed", range(4))
def test_arguments_nobody_thought_of(seed: int) -> None:
    asked, differences = compare(CARTS, random_state(seed), seed, rounds=20)
    assert asked > 200
    assert differences == []


@pytest.mark.parametrize("seed", range(3))
def test_explanations_show_the_rules_of_the_decision_id(seed: int) -> None:
    state = random_state(seed)
    compiled, explainer = Compiled(CARTS), Explainer(Interpreter(CARTS))
    for term, arguments in questions(state)[::7]:
        answer = compiled.ask(state, term, arguments)
        explanation = explainer.explain(state, term, arguments, depth=0)
        assert explanation.value == answer.value
        live = {label for bit, label in enumerate(CARTS.terms[term].rules) if answer.mask >> bit & 1}
        assert {candidate.label for candidate in explanation.candidates if candidate.status == APPLIED} == live


def test_the_module_reads_like_python() -> None:
    text = module(CARTS)
    compile(text, "carts", "exec")
    assert "# pay-your-way [T.PAY-YOUR-WAY]: A cart pays for every hex." in text


def test_expressions_are_compiled_once_and_agree() -> None:
    state = random_state(5)
    interpreter, compiled = Interpreter(CARTS), Compiled(CARTS)
    rules = [rule for rule in CARTS.rules.values() if rule.guard is not None and not rule.names]
    for rule in rules:
        parameters = CARTS.terms[rule.terms[0]].parameters
        for _, arguments in [q for q in questions(state) if q[0] == rule.terms[0]][:20]:
            names = {p.name: value for p, value in zip(parameters, arguments, strict=True)}
            assert rule.guard is not None
            assert interpreter.evaluate(state, rule.guard, names) == compiled.evaluate(state, rule.guard, names)
