"""Every hook hears the evaluation of every toy, and changes no answer."""

import re
from collections.abc import Callable, Mapping
from copy import copy
from pathlib import Path

import pytest

from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.answer.recording import DirectReads
from runtime.examples.row_reads import RowReads
from runtime.graph import nodes as graph
from runtime.mutation.fail_fast import QuestionLimit
from runtime.mutation.recorded_run import WeakMutation
from runtime.play.game import Game
from runtime.state.position import State
from runtime.state.setup import from_position
from runtime.trial.divergence import AnswerTracer
from runtime.witness.example_corpus import LiveQuestions
from tests.answers.differential import answered, questions, same
from tests.consumers.test_nodes import toys
from tests.toys.boggy import random_state

MOST_POSITIONS = 5  # Of the examples of a toy.


def probes_of(rules: graph.Graph) -> WeakMutation:
    """Return a hook that evaluates the guards and values of rules again, as their own alterations."""
    parts = [part for rule in rules.rules.values() for part in (rule.guard, rule.value) if part is not None]
    probes = WeakMutation(rules, {id(part): (part,) for part in parts})
    probes.untraced = Interpreter(rules)
    return probes


def live_questions_of(rules: graph.Graph) -> LiveQuestions:
    """Return a hook that records the questions of all rules."""
    return LiveQuestions(
        {name: [(1 << bit, label) for bit, label in enumerate(term.rules)] for name, term in rules.terms.items()}
    )


HOOKS: Mapping[str, Callable[[graph.Graph], EvaluatorHook]] = {
    "AnswerTracer": AnswerTracer,
    "DirectReads": DirectReads,
    "WeakMutation": probes_of,
    "LiveQuestions": live_questions_of,
    "QuestionLimit": lambda _: QuestionLimit(1_000_000),
    "RowReads": RowReads,
}


def test_every_hook_is_tried() -> None:
    texts = [
        path.read_text(encoding="utf-8") for folder in ("runtime", "rulewright") for path in Path(folder).rglob("*.py")
    ]
    assert {name for text in texts for name in re.findall(r"class (\w+)\(EvaluatorHook\)", text)} == HOOKS.keys()


def positions_of(toy: str) -> list[State]:
    """Return positions of a toy: of examples, drawn ones, or the opening of its game."""
    rules = toys()[toy]
    match toy:
        case "bog":
            return [random_state(seed) for seed in range(4)]
        case "hares":
            return [Game(rules, Interpreter(rules)).set_up()]
        case _:
            return [from_position(rules, example.position) for example in rules.examples[:MOST_POSITIONS]]


def records_of(hook: EvaluatorHook) -> list[object]:
    """Return copies of what a hook has counted or collected."""
    return [copy(value) for value in vars(hook).values() if isinstance(value, int | set | list | dict)]


@pytest.mark.parametrize("is_memoizing", [False, True])
@pytest.mark.parametrize("hook_name", HOOKS)
@pytest.mark.parametrize("toy", toys())
def test_no_hook_changes_an_answer(toy: str, hook_name: str, is_memoizing: bool) -> None:
    rules = toys()[toy]
    hook = HOOKS[hook_name](rules)
    before = records_of(hook)
    hooked = Interpreter(rules, hooks=(hook,), memo=AnswerMemo(rules) if is_memoizing else None)
    plain = Interpreter(rules)
    for seed, state in enumerate(positions_of(toy)):
        for name, arguments in questions(state, seed, 2):
            first = answered(plain.ask, state, name, arguments)
            assert same(first, answered(hooked.ask, state, name, arguments)), (name, arguments)
    assert records_of(hook) != before, "it has heard nothing"
