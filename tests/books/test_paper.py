"""The book on paper, the card, and the pages for wikis."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.rulebook.card import card_sides
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.markdown import write_wiki
from compiler.rulebook.paper.leaflet import write_leaflet_text
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.quick_reference import write_card_text
from compiler.rulebook.paper.sheets import ACROSS, mirrored_rows, write_chart_text, write_counter_text
from compiler.rulebook.paper.typeset import can_print, escape, print_pdf
from compiler.rulebook.paper.typst_writer import TypstWriter, write_book_text
from runtime.graph import nodes as graph
from runtime.graph.document import BookEdition, DocumentForm
from runtime.graph.document_text import line_text
from tests.books.compared import compared_fair, older_fair
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.books.printed import blank_columns
from tests.sample import sampled

needs_poppler = pytest.mark.skipif(not shutil.which("pdftotext"), reason="WORDS NOT READ: there is no pdftotext")
needs_typst = pytest.mark.skipif(not can_print(), reason="NOTHING PRINTED: typst is not installed")


def carded() -> graph.Graph:
    book = fair()
    [layer] = book.layers
    return replace(book, layers=(replace(layer, card=(("sequence", "prices"), ("going", "price"))),))


def contents(book: graph.Graph) -> Contents:
    return Contents(book, unplayed_outcomes(book), None)


@needs_typst
def test_the_same_book_prints_the_same_bytes() -> None:
    sources = write_book_text(contents(fair()), "The Fair")
    first, second = print_pdf(sources), print_pdf(write_book_text(contents(fair()), "The Fair"))
    assert first == second
    assert first.startswith(b"%PDF-")
    assert b"/Outlines" in first
    assert b"CreationDate" not in first


@needs_typst
def test_a_card_has_one_page_or_two_by_its_length() -> None:
    for size, sides in ((1, 1), (12, 2)):
        book = carded()
        rules = {label: replace(rule, prose=size * rule.prose) for label, rule in book.rules.items()}
        pdf = print_pdf(write_card_text(contents(replace(book, rules=rules)), "The Fair, with hay", "The Fair"))
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == sides


def test_the_card_has_the_panels_that_its_layer_names() -> None:
    lines = TypstWriter(contents(carded()), BookEdition.PLAYER).blocks.lines
    front, back = card_sides(lines)
    assert [panel.title for panel in front] == ["Sequence of play", "Prices"]
    assert front[1].lines[0].form is DocumentForm.ROW
    assert any("Driving" in line_text(line) for phase in front[0].lines for line in (phase, *phase.items))
    assert back[0].title == "Going"
    assert any("Wheels do not cross hedges." in line_text(line) for line in back[0].lines)
    assert back[1].lines[0].items


def test_text_is_escaped_for_typst() -> None:
    assert escape("#let x = [*a*] // $1 <b>") == r"\#let x \= \[\*a\*\] \/\/ \$1 \<b\>"


def test_every_wiki_link_has_a_target() -> None:
    files = {name.removeprefix("wiki/"): page.decode() for name, page in write_wiki(contents(fair())).items()}
    links = [(name, *found) for name, page in files.items() for found in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", page)]
    assert links
    for name, target, anchor in links:
        assert target in files, (name, target)
        assert not anchor or f'<a id="{anchor}">' in files[target], (name, target, anchor)


def test_printed_drawings_have_no_classes() -> None:
    sources = write_book_text(contents(fair()), "The Fair")
    drawn = [ink for name, ink in sources.items() if name.endswith(".svg")]
    assert any(b"<polygon" in ink for ink in drawn)
    assert not [ink for ink in drawn if b"class=" in ink]


def test_the_players_edition_has_sentences_without_logic_and_examples() -> None:
    book_contents = contents(fair())
    main = write_player_text(book_contents, "The Fair")["main"].decode()
    assert "#example(" not in main
    for rule in book_contents.rules.values():
        if ("rule", rule.label) in book_contents.numbers and rule.prose:
            assert escape(rule.prose) in main, rule.label
            assert not rule.logic or escape(rule.logic) not in main, rule.label
    assert main.count("#answered(") == sum(thing[0] == "ruling" for thing in book_contents.numbers)


@needs_typst
def test_every_edition_is_printed() -> None:
    book_contents = contents(fair())
    for sources in (
        write_player_text(book_contents, "The Fair"),
        write_chart_text(book_contents, "The Fair"),
        write_counter_text(book_contents, "The Fair"),
        write_leaflet_text(compared_fair(older_fair()), "The Fair", "The Fair"),
    ):
        assert print_pdf(sources).startswith(b"%PDF-")


def test_backs_are_mirrored_behind_their_fronts() -> None:
    fronts = [f"{place}" for place in range(ACROSS + 1)]
    mirrored = mirrored_rows(fronts)
    assert len(mirrored) == 2 * ACROSS
    assert mirrored[0] == fronts[ACROSS - 1]
    assert mirrored[2 * ACROSS - 1] == fronts[ACROSS]
    assert mirrored[ACROSS] == "[]"


@sampled(0)
@needs_typst
@needs_poppler
@pytest.mark.parametrize("stack", ["long_frost", "panzer_grenadier"])
def test_no_page_is_a_quarter_empty(stack: str, tmp_path: Path) -> None:
    """Charts, unit charts and indexes follow the text without a gap."""
    contents = contents_of(stack)
    editions = {"player": write_player_text(contents, stack), "umpire": write_book_text(contents, stack)}
    for edition, sources in editions.items():
        place = tmp_path / f"{edition}.pdf"
        place.write_bytes(print_pdf(sources))
        assert (edition, blank_columns(place, 0.25)) == (edition, [])


@sampled(0)
@needs_typst
def test_a_pdf_has_language_authors_publisher_and_keywords() -> None:
    book = carded()
    [layer] = book.layers
    book_contents = contents(
        replace(book, layers=(replace(layer, authors=("A. Reed", "B. Sedge"), publisher="Fen Press"),))
    )
    for sources in (
        write_book_text(book_contents, "The Fair"), write_player_text(book_contents, "The Fair"),
        write_card_text(book_contents, "The Fair", "The Fair"), write_chart_text(book_contents, "The Fair"),
        write_counter_text(book_contents, "The Fair"),
    ):  # fmt: skip
        pdf = print_pdf(sources)
        assert re.search(rb"/Lang\s*\(en\)", pdf)
        assert b"A. Reed" in pdf
        assert b"Published by Fen Press." in pdf
        assert re.search(rb"/Keywords\s*\(rules of play", pdf)
