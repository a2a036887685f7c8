"""Of sixty questions as players type them most are answered by the first rows, and no row misleads."""

import pytest

from rulewright.explain.finder.asked_terms import actions_asking
from rulewright.explain.finder.row import ACTION, QUESTION
from rulewright.explain.position_questions import ask_about_position
from tests.finder.asking import FOLDERS, PlayerQuestion, questions, rank, rows_of, setting

FILE = "questions.yaml"
# The questions to which the finder was tuned, and others that were written afterwards.
FILES = (FILE, "later_questions.yaml")


def share(found: list[int], most: int) -> float:
    return sum(number <= most for number in found) / len(found)


@pytest.mark.parametrize("file", FILES)
def test_a_question_or_action_that_answers_is_among_the_first_rows(file: str) -> None:
    answerable = [each for each in questions(file) if each.terms or each.actions]
    assert len(answerable) >= 20
    ranks = {each.text: rank(each) for each in answerable}
    assert share([*ranks.values()], 3) >= 0.75, ranks
    assert share([*ranks.values()], 5) >= 0.85, ranks


def test_other_questions_find_the_place_of_the_book() -> None:
    others = [each for each in questions(FILE) if not (each.terms or each.actions)]
    assert others
    assert {each.text: rank(each) for each in others if rank(each) > 5} == {}


@pytest.mark.parametrize("position", sorted({each.position for each in questions(FILE)}))
def test_a_row_answers_the_question_that_it_prints(position: str) -> None:
    """Each call is answerable again by itself, and says what the row says of it."""
    stack, _ = setting(position)
    file = next(path for folder in FOLDERS if (path := folder / f"{position}.yaml").exists())
    calls = {}
    for question in (each for each in questions(FILE) if each.position == position):
        for row in rows_of(question):
            if row.sort == QUESTION and len(row.calls) == 1:
                calls[row.calls[0]] = row
    assert calls
    for call, row in calls.items():
        answer = ask_about_position(stack, file, call, 0).answer
        assert answer, call
        assert answer.data["text"].rstrip(".") in row.blocks[0].title, (call, row.blocks)


def misleads(question: PlayerQuestion) -> bool:
    """Return whether the first row says yes to a part of an action that is refused below it."""
    _, state = setting(question.position)
    first, *others = rows_of(question) or (None,)
    if first is None or first.sort != QUESTION or not first.is_open:
        return False
    wholes = {*actions_asking(state.graph).get(first.name, ())}
    return any(
        row.sort == ACTION and row.is_open is False and not wholes.isdisjoint(row.actions) for row in others if row
    )


def test_no_first_row_says_yes_to_a_part_of_what_is_refused() -> None:
    assert [each.text for each in questions(FILE) if misleads(each)] == []
