"""Sentences of examples: stations of the sequence of play, records, notes of a hex, the side to act."""

import pytest

from compiler.rulebook.evidence import AnswerEvidence
from compiler.rulebook.example_questions import distinct_questions
from compiler.rulebook.examples import _example_step
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from runtime.graph.wording import Wording
from tests.books.gathered import contents_of

YES = AnswerEvidence("yes", "", (), (), "", ())


@pytest.fixture(scope="module")
def book() -> graph.Graph:
    rules = load_stack("panzer_leader").graph
    assert rules
    return rules


def test_questions_about_records_state_which(book: graph.Graph) -> None:
    """Answers differ, and so must their sentences, where an example describes several attacks."""
    for title in ("odds without firers or without targets", "a unit at sea is not fired at together with one ashore"):
        [example] = (each for each in book.examples if each.title == title)
        lines = [line for line in example.lines if isinstance(line, graph.Check)]
        texts = [_example_step(Wording(book), line, YES).text for line in lines]
        assert len({*texts}) == len(texts) > 1, texts


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz"])
def test_no_two_questions_of_an_example_have_the_same_words(stack: str) -> None:
    """Questions differ in what they ask about, or in the time at which they are asked."""
    rules = contents_of(stack).book
    heads = {}
    for example in rules.examples:
        checks = tuple(place for place, line in enumerate(example.lines) if isinstance(line, graph.Check))
        if example.names and len(checks) > 1:
            heads[example.title] = distinct_questions(Wording(rules), example, checks)
    assert len(heads) > 10
    assert [title for title, questions in heads.items() if len({*questions}) < len(questions)] == []
    assert any(question.endswith(", before") for questions in heads.values() for question in questions)
