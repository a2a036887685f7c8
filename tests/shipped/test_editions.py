"""The shipped books as printed: running heads, contents, cards, and numbers of pages."""

import re
import shutil
from pathlib import Path

import pytest

from compiler.rulebook.paper.quick_reference import write_card_text
from compiler.rulebook.paper.typeset import can_print, print_pdf
from compiler.rulebook.paper.typst_writer import write_book_text
from compiler.rulebook.titles import book_title, short_title
from rulewright.library.stacks import open_packages
from tests.books.gathered import contents_of, player_edition
from tests.books.printed import Print, blank_columns, lines_of, words_of
from tests.books.test_reading import FIRST, LATER
from tests.sample import LONG, sampled
from tests.soak.stacks import options, together

pytestmark = [
    pytest.mark.skipif(not can_print(), reason="NOTHING PRINTED: typst is not installed"),
    pytest.mark.skipif(not shutil.which("pdftotext"), reason="PAGES NOT READ: there is no pdftotext"),
]
# A book whose text would end behind its index; the default run has it, and one book of each other size.
CLOSE = "panzerblitz+panzerbitz_thunder"
EARLY = ["two_clans", CLOSE, "long_frost+frost_chits+frost_pressure"]
BOOKS = [*EARLY, *(pytest.param(each, marks=LONG) for each in dict.fromkeys((*FIRST, *LATER)) if each not in EARLY)]
PACKAGES = open_packages()
FULL = together(PACKAGES, "panzer_leader", options(PACKAGES, "panzer_leader"))
MOST_PAGES = 30  # Pages of a player's edition
FOOT = 30.0  # Points from the bottom of the page: the full title may stand below this line
LOW = 0.25  # Share of the height of a card's side that may be empty at its bottom
NUMBERED = re.compile(r"(\d+)\.\d\S* ")


def headed(lines: list[str], place: int, titles: list[str]) -> str:
    """Return the title that starts at a line and takes one or two lines, or ""."""
    return next((line for line in (lines[place], " ".join(lines[place : place + 2])) if line in titles), "")


@sampled(1)
@pytest.mark.parametrize("stack", BOOKS)
def test_the_head_of_a_page_names_the_sections_of_its_first_and_last_paragraph(stack: str, tmp_path: Path) -> None:
    contents = contents_of(stack)
    titles = [f"{top.number} {contents.titles['case', top.label]}".strip() for top in contents.outline]
    titles += [*["Charts"] * bool(contents.players_charts), "Where the sources disagree", "Procedures", "Index"]
    first_number = contents.play_number
    titles.insert(0, f"{first_number} Sequence of play".strip())
    short, here = short_title(contents.book), ""
    for page, lines in enumerate(lines_of(player_edition(stack, tmp_path)), 1):
        on = [title for place in range(len(lines)) if (title := headed(lines, place, titles))]
        before = headed(lines, 1, titles) or here
        here = on[-1] if on else here
        if page == 1:
            continue
        about = before if before == here else f"{before} – {here}"
        assert lines[0] in (f"{page} {short} {about}", f"{about} {short} {page}")
        if found := NUMBERED.match(lines[1]):
            assert before.startswith(f"{found[1]} ")
    assert here == "Index"


@sampled(1)
@pytest.mark.parametrize("stack", BOOKS)
def test_contents_and_outline_list_each_section_and_each_chart(stack: str, tmp_path: Path) -> None:
    contents = contents_of(stack)
    place = player_edition(stack, tmp_path)
    listed = [re.sub(r"[ .]+\d+$", "", line) for line in lines_of(place)[0] if re.search(r"\. ?\. ?\. ?\.", line)]
    charts = [chart.title for chart in contents.players_charts]
    assert [line for line in listed if line in charts] == sorted(charts, key=listed.index)
    assert len(listed) >= len(contents.outline) + len(charts) + 1
    assert len(Print(place.read_bytes()).outline()) >= len(charts) + len(contents.outline)


@pytest.mark.parametrize("stack", ["low_tide", "two_clans"])
def test_the_index_of_a_small_book_begins_where_its_text_ends(stack: str, tmp_path: Path) -> None:
    contents = contents_of(stack)
    place = tmp_path / "umpire.pdf"
    place.write_bytes(print_pdf(write_book_text(contents, book_title(contents.book))))
    [at] = (lines.index("Index") for lines in lines_of(place)[1:] if "Index" in lines[1:])
    assert at > 1


@LONG
def test_a_book_with_all_its_options_is_within_the_limit_of_pages(tmp_path: Path) -> None:
    assert 20 < len(words_of(player_edition(FULL, tmp_path))) <= MOST_PAGES


@sampled(0)
@pytest.mark.parametrize("stack", ["panzer_leader", pytest.param("", marks=LONG)])
def test_an_edition_for_players_is_short_and_has_no_blank_columns(stack: str, tmp_path: Path) -> None:
    chosen = [
        name for name in options(PACKAGES, "panzer_leader") if PACKAGES.library.layers[name].kind.text != "variant"
    ]
    place = player_edition(stack or together(PACKAGES, "panzer_leader", chosen), tmp_path)
    assert 10 < len(words_of(place)) <= MOST_PAGES
    assert blank_columns(place, LOW) == []


@sampled(1)
@pytest.mark.parametrize("stack", [*BOOKS, FULL])
def test_a_card_has_at_most_two_full_sides(stack: str, tmp_path: Path) -> None:
    contents = contents_of(stack)
    if not any(layer.card for layer in contents.book.layers):
        pytest.skip("has no card")
    place = tmp_path / "card.pdf"
    book = contents.book
    place.write_bytes(print_pdf(write_card_text(contents, book_title(book), short_title(book))))
    sides = words_of(place)
    assert 1 <= len(sides) <= 2
    height = 595.0
    for words in sides:
        assert min(y for _, y, _ in words if y > FOOT) < LOW * height
