"""The page of changes for wikis."""

import re
from dataclasses import replace

from compiler.rulebook.contents import Contents
from compiler.rulebook.markdown import write_wiki
from tests.books.compared import compared_fair
from tests.books.fair import fair


def changed() -> Contents:
    """Return the book of the game, compared with the same without its rules, with one position of differing answers."""
    return compared_fair(replace(fair(), rules={}))


def test_answers_that_differ_have_their_position_in_words() -> None:
    page = write_wiki(changed())["wiki/Errata.md"].decode()
    found = re.search(r"\*\*Example: yes instead of no\.\*\* (.+)", page)
    assert found
    assert "- Whether the toll is due:\n\n**Before:** no\n\n**Now:** yes" in page
    assert len(found[1]) > len("A map.")
