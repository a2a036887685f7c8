"""The recorded dependencies of an example do not depend on earlier questions."""

import pytest

from runtime.answer.answer import Answer, live_labels
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.examples.row_reads import RowReads
from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Value
from tests.answers.differential import answered, questions
from tests.toys.bogged import bog
from tests.toys.boggy import random_state


class LiveRules(EvaluatorHook):
    """The rules that were live in answers."""

    def __init__(self, rules: graph.Graph) -> None:
        """Start without rules."""
        self.rules = rules
        self.labels: set[str] = set()

    def on_answer(self, state: State, name: str, arguments: tuple[Value, ...], answer: Answer) -> None:  # noqa: ARG002
        """Record the live rules."""
        self.labels.update(live_labels(self.rules.terms[name], answer.mask))


@pytest.mark.parametrize("seed", range(4))
def test_the_memo_has_the_rules_behind_each_answer(seed: int) -> None:
    rules, state = bog(), random_state(seed)
    memo, live = AnswerMemo(rules), LiveRules(rules)
    memoizing, plain = Interpreter(rules, memo=memo), Interpreter(rules, hooks=(live,))
    second_questions = list(questions(state, seed, 6))
    for name, arguments in [*second_questions, *second_questions]:
        live.labels.clear()
        memo.live_rules = set()
        first = answered(plain.ask, state, name, arguments)
        second = answered(memoizing.ask, state, name, arguments)
        if isinstance(first, Answer):
            assert second == first or name == "next_plan"
            assert memo.live_rules == live.labels


def test_no_answer_is_reused_after_an_event() -> None:
    rules, state = bog(), random_state(2)
    memoizing, plain = Interpreter(rules, memo=AnswerMemo(rules)), Interpreter(rules)
    quiet = memoizing.without_hooks()
    for name, arguments in questions(state, 2, 6):
        for piece in state.in_play():
            change.move(state, piece, (state.hex[piece] + 1) % state.board.size)
            wanted = answered(plain.ask, state, name, arguments)
            if isinstance(wanted, Answer) and name != "next_plan":
                assert memoizing.ask(state, name, arguments) == wanted == quiet.ask(state, name, arguments)


def test_an_interpreter_without_hooks_records_nothing() -> None:
    rules, state = bog(), random_state(3)
    reads, memo = RowReads(rules), AnswerMemo(rules)
    quiet = Interpreter(rules, hooks=(reads,), memo=memo).without_hooks()
    for name, arguments in questions(state, 3, 4):
        answered(quiet.ask, state, name, arguments)
        assert memo.known_answer(state, name, arguments) is None
    assert not reads.rules
    assert not reads.terms
    assert not reads.rows
