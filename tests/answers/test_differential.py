"""The generated code gives every answer that the interpreter gives, decision ids included."""

import pytest

from runtime.answer.answer import Answer
from runtime.answer.explain import Explainer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.answer.module_text import module_text
from tests.answers.differential import answered, compare, questions
from tests.sample import sampled
from tests.toys.bogged import bog
from tests.toys.boggy import random_state


@sampled(6)
@pytest.mark.parametrize("seed", range(15))
def test_random_questions_in_random_positions_have_equal_answers(seed: int) -> None:
    question_count, differences = compare(bog(), random_state(seed), seed, rounds=15)
    assert question_count > 200
    assert differences == []


def test_memoized_answers_are_right_in_another_position() -> None:
    """One evaluator with memos answers questions about six positions, as the interpreter does."""
    compiled, interpreter = GeneratedEvaluator(bog()), Interpreter(bog())
    for seed in range(6):
        state = random_state(seed)
        for name, arguments in questions(state, seed, 4):
            first = answered(interpreter.ask, state, name, arguments)
            if isinstance(first, Answer):
                assert compiled.value(state, name, arguments) == first.value or name == "next_plan"


@pytest.mark.parametrize("seed", range(3))
def test_explanations_list_the_rules_of_the_decision_id(seed: int) -> None:
    rules, state = bog(), random_state(seed)
    compiled, explainer = GeneratedEvaluator(rules), Explainer(Interpreter(rules))
    for name, arguments in questions(state, seed, 5):
        answer = answered(Interpreter(rules).ask, state, name, arguments)
        if not isinstance(answer, Answer):
            continue
        live = {label for bit, label in enumerate(rules.terms[name].rules) if answer.mask >> bit & 1}
        explanation = explainer.explain(state, name, arguments, depth=0)
        assert {candidate.label for candidate in explanation.live_rules()} == live
        assert compiled.ask(state, name, arguments).mask == answer.mask


def test_the_generated_module_compiles_and_quotes_its_rules() -> None:
    text = module_text(bog())
    compile(text, "bog", "exec")
    assert "# pay-your-way [T.BOG.05]: A cart pays for every hex." in text


def test_compiled_guards_have_the_values_of_the_interpreter() -> None:
    rules, state = bog(), random_state(5)
    interpreter, compiled = Interpreter(rules), GeneratedEvaluator(rules)
    guards = {label: rule.guard for label, rule in rules.rules.items() if rule.guard is not None and not rule.names}
    for name, arguments in questions(state, 5, 20):
        names = {p.name: value for p, value in zip(rules.terms[name].parameters, arguments, strict=True)}
        for label in rules.terms[name].rules:
            if label in guards:
                first = answered(interpreter.evaluate, state, guards[label], names)  # type: ignore[arg-type]  # not a name
                if isinstance(first, bool):
                    assert compiled.evaluate(state, guards[label], names) == first
