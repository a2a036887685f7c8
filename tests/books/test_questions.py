"""The page of questions: every ruling and dispute once, and every term that rules of the text decide."""

import pytest

from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.questions import gather_questions
from compiler.source.numbering import register_key
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.books.site import read_page, site


def test_every_question_is_listed_once() -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    actual_questions = [one for _, questions in gather_questions(contents) for one in questions]
    questions_by_thing = [one.thing for one in actual_questions]
    assert len(questions_by_thing) == len(set(questions_by_thing))
    assert {label for what, label in questions_by_thing if what == "ruling"} == book.rulings.keys()
    assert {label for what, label in questions_by_thing if what == "dispute"} == book.disputes.keys()
    terms = {name for what, name in questions_by_thing if what == "term"}
    assert terms
    assert all(contents.links.link_to(thing) for thing in questions_by_thing)


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz"])
def test_a_question_precedes_rulings_on_its_answer(stack: str) -> None:
    contents = contents_of(stack)
    qualified = 0
    for _, questions in gather_questions(contents):
        keys = [(not one.number, register_key(one.number)) for one in questions]
        assert keys == sorted(keys)
        base = {one.number: place for place, one in enumerate(questions) if one.thing[0] == "term"}
        for place, one in enumerate(questions):
            number, _, question = one.number.partition(" Q")
            if question and number in base:
                assert base[number] < place
                qualified += 1
            if one.thing[0] == "term":
                answers = [contents.numbers.get(("rule", each), "") for each in contents.book.terms[one.thing[1]].rules]
                here = [each for each in answers if each.partition(".")[0] == one.number.partition(".")[0]]
                assert one.number == min(filter(None, here), key=register_key, default=one.number)
    assert qualified


def test_the_page_has_the_answers_of_rulings() -> None:
    book = fair()
    page = read_page(site("fair")["questions.html"]).text
    assert all(ruling.asks in page and ruling.answers in page for ruling in book.rulings.values())
