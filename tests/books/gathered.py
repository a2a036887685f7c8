"""Contents and PDFs of shipped books, computed once for all tests of a process, which only read them."""

from functools import cache
from pathlib import Path

from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.typeset import print_pdf
from compiler.rulebook.titles import book_title
from rulewright.library.stacks import load_stack


@cache
def contents_of(stack: str) -> Contents:
    """Return the contents of a book whose examples are not played."""
    book = load_stack(stack, []).graph
    assert book
    return Contents(book, unplayed_outcomes(book), None)


@cache
def _printed(stack: str) -> bytes:
    contents = contents_of(stack)
    return print_pdf(write_player_text(contents, book_title(contents.book)))


def player_edition(stack: str, folder: Path) -> Path:
    """Write the player's edition to a folder; return its path."""
    place = folder / "player.pdf"
    place.write_bytes(_printed(stack))
    return place
