"""The page of questions: every ruling, dispute and question once, by the section of the first rule that answers it."""

import pytest

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.source.numbering import register_key
from runtime.graph.document import BookEdition, DocumentSpan
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.books.site import read_page, site


def listed_questions(contents: Contents) -> list[list[DocumentSpan]]:
    """Return the questions of each group, by the spans that refer to their answers."""
    page = BookBlockBuilder(contents, BookEdition.SITE, lambda key: bool(contents.links.link_to(key))).questions()
    return [[line.spans[0] for line in group.lines] for group in page.blocks]


def test_every_question_is_listed_once() -> None:
    book = fair()
    contents = Contents(book, unplayed_outcomes(book), None)
    keys = [span.key for group in listed_questions(contents) for span in group if span.key]
    assert len(keys) == len(set(keys))
    assert {label for what, label in keys if what == "ruling"} == book.rulings.keys()
    assert {label for what, label in keys if what == "dispute"} == book.disputes.keys()
    assert any(what == "term" for what, _ in keys)
    assert all(map(contents.links.link_to, keys))


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz"])
def test_a_question_precedes_rulings_on_its_answer(stack: str) -> None:
    qualified = 0
    for group in listed_questions(contents_of(stack)):
        numbers = [span.number for span in group if span.number]
        assert numbers == sorted(numbers, key=register_key)
        base = {span.number: place for place, span in enumerate(group) if span.key and span.key[0] == "term"}
        for place, span in enumerate(group):
            number, _, question = span.number.partition(" Q")
            if question and number in base:
                assert base[number] < place
                qualified += 1
    assert qualified


def test_the_page_has_the_answers_of_rulings() -> None:
    book = fair()
    page = read_page(site("fair")["questions.html"]).text
    assert all(ruling.asks in page and ruling.answers in page for ruling in book.rulings.values())
