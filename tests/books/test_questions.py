"""The page of questions: every ruling and dispute once, and every question that rules of the text decide."""

import pytest

from compiler.rulebook.contents import gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.questions import direct_question, gather_questions
from tests.books.fair import fair
from tests.books.site import read_page, site


def test_every_question_stands_once() -> None:
    book = fair()
    contents = gather_contents(book, unplayed_outcomes(book), None)
    asked = [one for group in gather_questions(contents) for _, questions in group.sections for one in questions]
    things = [one.thing for one in asked]
    assert len(things) == len(set(things))
    assert {label for what, label in things if what == "ruling"} == book.rulings.keys()
    assert {label for what, label in things if what == "dispute"} == book.disputes.keys()
    terms = {name for what, name in things if what == "term"}
    assert terms
    assert all(contents.links.link_to(thing) for thing in things)


def test_the_page_has_the_answers_of_rulings() -> None:
    book = fair()
    page = read_page(site("fair")["questions.html"]).text
    assert all(ruling.asks in page and ruling.answers in page for ruling in book.rulings.values())


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Whether the cart may enter the hex", "May the cart enter the hex?"),
        ("Whether the hex is full", "Is the hex full?"),
        ("Whether the owner holds the hex", "Does the owner hold the hex?"),
        ("Whether the shot reaches the hex", "Does the shot reach the hex?"),
        ("Whether the cart carries a load", "Does the cart carry a load?"),
        ("What the cart pays for the hex", "What the cart pays for the hex"),
    ],
)
def test_questions_are_put_directly(said: str, asked: str) -> None:
    assert direct_question(said) == asked
