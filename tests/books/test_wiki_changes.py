"""The page of changes for wikis."""

import re
from dataclasses import replace

from compiler.rulebook.booklet import AnswerDifference, Baseline, QuestionDifference
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.markdown import write_wiki
from tests.books.fair import fair


def changed() -> Contents:
    """Return the book of the game, compared with the same without its rules, with one position of differing answers."""
    book = fair()
    old = replace(book, rules={})
    position = book.examples[0].position
    seen = AnswerDifference((), (), 1, "Whether the toll is due", "no", "yes", position, book.stack, resting=())
    differences = (QuestionDifference(next(iter(book.terms)), 1, 1, (seen,)),)
    return Contents(book, unplayed_outcomes(book), Baseline(old, "the old fair", differences))


def test_answers_that_differ_have_their_position_in_words() -> None:
    page = write_wiki(changed(), "The Fair")["wiki/Changes.md"].decode()
    found = re.search(r"- Whether the toll is due: yes instead of no\n  - because of .+\n  - (.+)", page)
    assert found
    assert len(found[1]) > len("A map.")
