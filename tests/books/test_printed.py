"""Every link, outline entry and page number of a printed book has its target.

`RULEWRIGHT_BOOK=DIR python3 -m tests tests/books/test_printed.py` examines the PDFs of a written book.
"""

import os
import shutil
from pathlib import Path

import pytest

from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.typeset import can_print, print_pdf
from compiler.rulebook.paper.typst_writer import write_book_text
from tests.books.fair import fair
from tests.books.printed import Link, Print, wrong_numbers

needs_poppler = pytest.mark.skipif(not shutil.which("pdftotext"), reason="NUMBERS NOT READ: there is no pdftotext")
pytestmark = pytest.mark.skipif(not can_print(), reason="NOTHING PRINTED: typst is not installed")


@pytest.fixture(scope="module")
def prints(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Print the small game, or list the PDFs of the folder in RULEWRIGHT_BOOK."""
    if folder := os.environ.get("RULEWRIGHT_BOOK"):
        return sorted(Path(folder).glob("*.pdf"))
    place = tmp_path_factory.mktemp("printed") / "book.pdf"
    place.write_bytes(print_pdf(write_book_text(Contents(fair(), unplayed_outcomes(fair()), None), "The Fair")))
    return [place]


def test_links_and_outlines_have_targets(prints: list[Path]) -> None:
    count = 0
    for place in prints:
        printed = Print(place.read_bytes())
        links = [link.to for link in printed.links()]
        assert 0 not in links
        assert 0 not in printed.outline()
        count += len(links) + len(printed.outline())
    assert count > 20


@needs_poppler
def test_printed_page_numbers_equal_the_target_pages(prints: list[Path]) -> None:
    assert [(place.name, *wrong) for place in prints for wrong in wrong_numbers(place)] == []


def test_a_link_without_a_target_has_page_0() -> None:
    page = b"\n1 0 obj\n<</Type /Pages/Kids[2 0 R]>>\nendobj\n\n2 0 obj\n<</Type /Page/Annots[3 0 R]>>\nendobj\n"
    link = b"\n3 0 obj\n<</Subtype/Link/Rect[0 0 1 1]/Dest(gone)>>\nendobj\n"
    assert list(Print(page + link).links()) == [Link(1, (0, 0, 1, 1), 0)]
