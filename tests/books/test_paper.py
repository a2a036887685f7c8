"""The book on paper, the card, the pages for wikis and the list of citations."""

import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.rulebook import drawings
from compiler.rulebook.book import write_site
from compiler.rulebook.booklet import Baseline
from compiler.rulebook.card import lay_out_card, turn_summary
from compiler.rulebook.citations import write_citations
from compiler.rulebook.contents import Contents, gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.headings import RulingEntry, entries_of
from compiler.rulebook.markdown import MarkdownWriter, write_wiki
from compiler.rulebook.markdown_text import escape as escape_mark
from compiler.rulebook.paper.leaflet import print_leaflet, write_leaflet_text
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.print_colors import with_print_colors
from compiler.rulebook.paper.quick_reference import write_card_text
from compiler.rulebook.paper.sheets import ACROSS, mirrored_rows, write_chart_text, write_counter_text
from compiler.rulebook.paper.typeset import can_print, escape, print_pdf
from compiler.rulebook.paper.typst_writer import write_book_text
from compiler.rulebook.sequence_of_play import number_turn
from compiler.rulebook.steps import ProcedureLine
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.books.printed import blank_columns, lines_of, words_of
from tests.sample import sampled

needs_poppler = pytest.mark.skipif(not shutil.which("pdftotext"), reason="WORDS NOT READ: there is no pdftotext")
FOOT = 51  # The margin at the foot of a page, in points.
needs_typst = pytest.mark.skipif(not can_print(), reason="NOTHING PRINTED: typst is not installed")


def carded() -> graph.Graph:
    book = fair()
    [layer] = book.layers
    return replace(book, layers=(replace(layer, card=(("sequence", "prices"), ("going", "price"))),))


def contents(book: graph.Graph) -> Contents:
    return gather_contents(book, unplayed_outcomes(book), None)


@needs_typst
def test_the_same_book_prints_the_same_bytes() -> None:
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
    first, second = print_pdf(sources), print_pdf(write_book_text(contents(fair()), "The Fair", print_leaflet))
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


@needs_typst
def test_changes_are_printed_with_old_and_new_text() -> None:
    old = fair()
    rules = {**old.rules, "chart-price": replace(old.rules["chart-price"], prose="It costs more.")}
    changed = gather_contents(replace(old, rules=rules), unplayed_outcomes(old), Baseline(old, "the old fair"))
    sources = write_book_text(changed, "The Fair", print_leaflet)
    main = sources["main"].decode()
    assert "= Errata" in main
    assert "#twain([The price of a hex stands in the chart." in main
    assert "It costs more." in main
    assert print_pdf(sources).startswith(b"%PDF-")


@needs_typst
def test_the_booklet_starts_with_its_topics() -> None:
    now = fair()
    fewer = {name: counter for name, counter in now.counters.items() if name != min(now.counters)}
    changed = gather_contents(now, unplayed_outcomes(now), Baseline(replace(now, counters=fewer), "the old fair"))
    sources = write_leaflet_text(changed, "The Fair", "The Fair")
    main = sources["main"].decode()
    assert main.index("What changes, by topic") < main.index("[Counters]") < main.index("Summary of changes")
    assert print_pdf(sources).startswith(b"%PDF-")


@needs_typst
def test_the_booklet_has_no_links_to_the_book() -> None:
    old = fair()
    rules = {**old.rules, "chart-price": replace(old.rules["chart-price"], prose="It costs more.")}
    changed = gather_contents(replace(old, rules=rules), unplayed_outcomes(old), Baseline(old, "the old fair"))
    sources = write_leaflet_text(changed, "The Fair", "The Fair")
    main = sources["main"].decode()
    assert "Summary of changes" in main
    assert (
        "head[no impact], head[together], [additions], [0], [0], [corrections], [0], [0], [clarifications], [1], [1]"
        in (main)
    )
    assert "#to(" not in main, "there is no page to refer to"
    assert print_pdf(sources).startswith(b"%PDF-")


@needs_typst
def test_a_crowded_card_has_two_pages() -> None:
    book = carded()
    long = {label: replace(rule, prose=15 * "Wheels do not cross hedges. ") for label, rule in book.rules.items()}
    pdf = print_pdf(write_card_text(contents(replace(book, rules=long)), "The Fair", "The Fair"))
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 2


def test_the_card_has_the_panels_that_its_layer_names() -> None:
    front, back = lay_out_card(contents(carded()))
    assert [panel.title for panel in front] == ["Sequence of play", "Prices"]
    assert front[1].chart is not None
    assert any(line.text == "Drive" for line in front[0].lines)
    assert back[0].title == "Going"
    assert any("Wheels do not cross hedges." in line.text for line in back[0].lines)
    assert [line.depth for line in back[1].lines][:2] == [0, 1]


def test_a_rule_with_an_exception_on_the_card_has_text() -> None:
    book = carded()
    above = {label for rule in book.rules.values() for verb, label in rule.relations if verb == "exception"}
    without_prose = {
        label: replace(rule, prose="" if label in above else rule.prose) for label, rule in book.rules.items()
    }
    book_contents = contents(replace(book, rules=without_prose))
    lines = [line for side in lay_out_card(book_contents) for panel in side for line in panel.lines if line.mark]
    assert lines
    assert not [line for line in lines if line.text.endswith(":")]


def test_phases_of_each_player_are_numbered_with_those_of_the_turn() -> None:
    def phase(title: str) -> ProcedureLine:
        return ProcedureLine("", title, (), (), ())

    def loop(message: str, *inside: ProcedureLine) -> ProcedureLine:
        return ProcedureLine(message, "", (), (), inside)

    each = loop("For each player:", phase("Fire"), phase("Move"))
    mixed = (
        loop("For each turn:", each, phase("Night falls")),
        loop("For each player:", phase("Count")),
    )
    at_hand = contents(fair())
    reports = [
        (line.mark, line.text) for line in turn_summary(at_hand, number_turn(at_hand, mixed), 0) if line.is_phase
    ]
    assert reports == [("1.", "Fire"), ("2.", "Move"), ("3.", "Night falls"), ("1.", "Count")]


def test_new_counters_are_listed_by_their_titles() -> None:
    book = fair()
    less = replace(book, counters={name: one for name, one in book.counters.items() if name != "heavy_cart"})
    changed = gather_contents(book, unplayed_outcomes(book), Baseline(less, "the old fair"))
    main = write_leaflet_text(changed, "The Fair", "The Fair")["main"].decode()
    assert f"*{escape(changed.titles['counter', 'heavy_cart'])}*" in main
    booklet = changed.booklet
    assert booklet
    [texts] = [change.now for change in booklet.changes if change.thing == ("counter", "heavy_cart")]
    assert "build heavy" in texts, "a word that is printed is said as numbers are"


def test_text_is_escaped_for_typst() -> None:
    assert escape("#let x = [*a*] // $1 <b>") == r"\#let x \= \[\*a\*\] \/\/ \$1 \<b\>"


def test_every_wiki_link_has_a_target() -> None:
    files = {
        name.removeprefix("wiki/"): page.decode() for name, page in write_wiki(contents(fair()), "The Fair").items()
    }
    links = [(name, *found) for name, page in files.items() for found in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", page)]
    assert links
    for name, target, anchor in links:
        assert target in files, (name, target)
        assert not anchor or f'<a id="{anchor}">' in files[target], (name, target, anchor)


def test_citations_list_items_that_the_book_lacks() -> None:
    book = replace(
        fair(),
        documents=(graph.Document("Q", "Questions", "first", ()), graph.Document("T", "Turns", "", (("GO", 2),))),
    )
    bibliography = write_citations(contents(book), "The Fair").decode()
    assert "Q.1  rule 3.21b light-ruled; ruling 3.21 Q1 light-loads" in bibliography
    assert "T.GO.02  not in this book" in bibliography


def test_a_drawing_on_paper_has_colors_instead_of_classes() -> None:
    classes = {
        name
        for file in Path(drawings.__file__).parent.glob("*.py")
        for name in re.findall(r'class="([a-z ]+)"', file.read_text("utf-8"))
    }
    assert {"hex", "hex bare", "side", "wall", "counter", "where"} <= classes
    for name in sorted(classes | {"link", "link oneway", "piece", "factor"}):
        ink = with_print_colors(f'<polygon points="0,0" class="{name}" style="--h:10;--s:20%;--d:0"/>')
        assert "class=" not in ink, name
        assert re.search(r' (fill|stroke|xmlns)="', ink), name


def test_printed_drawings_have_no_classes() -> None:
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
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
def test_an_answer_is_printed_with_its_question_once() -> None:
    book = fair()
    ruling = book.rulings["light-loads"]
    changed_rules = replace(book.rules["light-ruled"], prose=ruling.answers)
    ruled_contents = contents(replace(book, rules={**book.rules, "light-ruled": changed_rules}))
    umpire = write_book_text(ruled_contents, "Fair", print_leaflet)["main"].decode()
    assert umpire.count(escape(ruling.answers)) == umpire.count(escape(ruling.asks)) == 1
    page = write_site(ruled_contents, live_book=None, options=())["cases/going.html"].decode()
    assert page.count(ruling.answers) == 1
    number = ruled_contents.numbers["ruling", "light-loads"]
    anchor = ruled_contents.links.anchor(("rule", "light-ruled"))
    assert f"Ruling {number}" in page[page.index(f'id="{anchor}"') : page.index(ruling.answers)]
    assert "\n".join(MarkdownWriter(ruled_contents).rule("light-ruled", "1")).count(escape_mark(ruling.answers)) == 1
    player = write_player_text(ruled_contents, "Fair")["main"].decode()
    assert (
        player.count(escape(ruling.answers)) == 1
    )  # The rule that implements the ruling has the same prose and is left out.
    assert f"[{escape(ruling.answers)}])" in player


@pytest.mark.parametrize(("counters", "pages"), [(12, 1), (12 * 16, 2)])
def test_markers_fill_the_last_page(counters: int, pages: int) -> None:
    book = fair()
    [one, *_] = book.counters.values()
    many = {str(n): replace(one, id=str(n)) for n in range(counters)}
    flags = {name: replace(flag, what="status", marker="dizzy") for name, flag in book.vocabulary.flags.items()}
    book = replace(book, vocabulary=replace(book.vocabulary, flags=flags))
    printed = write_counter_text(contents(replace(book, counters=many)), "Fair")["main"].decode()
    assert "markers" in printed
    assert printed.count("#pagebreak()") == pages - 1


@needs_typst
def test_every_edition_is_printed() -> None:
    book_contents = contents(fair())
    for sources in (
        write_player_text(book_contents, "The Fair"),
        write_chart_text(book_contents, "The Fair"),
        write_counter_text(book_contents, "The Fair"),
    ):
        assert print_pdf(sources).startswith(b"%PDF-")


def test_backs_are_mirrored_behind_their_fronts() -> None:
    fronts = [f"{place}" for place in range(ACROSS + 1)]
    mirrored = mirrored_rows(fronts)
    assert len(mirrored) == 2 * ACROSS
    assert mirrored[0] == fronts[ACROSS - 1]
    assert mirrored[2 * ACROSS - 1] == fronts[ACROSS]
    assert mirrored[ACROSS] == "[]"


def test_rulings_have_distinct_numbers() -> None:
    book_contents = contents(fair())
    numbers = [number for thing, number in book_contents.numbers.items() if thing[0] == "ruling"]
    printed = {
        entry.ruling for top in book_contents.outline for entry in entries_of(top) if isinstance(entry, RulingEntry)
    }
    assert printed
    assert {label for what, label in book_contents.numbers if what == "ruling"} == printed
    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(r"[\d.]+[a-z]* Q\d+", number) for number in numbers)


@sampled(0)
@needs_typst
@needs_poppler
@pytest.mark.parametrize("stack", ["long_frost", "panzer_grenadier"])
def test_no_page_is_a_quarter_empty(stack: str, tmp_path: Path) -> None:
    """Charts, unit charts and indexes follow the text without a gap."""
    contents = contents_of(stack)
    editions = {"player": write_player_text(contents, stack), "umpire": write_book_text(contents, stack, print_leaflet)}
    for edition, sources in editions.items():
        place = tmp_path / f"{edition}.pdf"
        place.write_bytes(print_pdf(sources))
        assert (edition, blank_columns(place, 0.25)) == (edition, [])


@sampled(1)
@needs_typst
@needs_poppler
@pytest.mark.parametrize("lines", [10, 130, 230])
def test_an_index_starts_on_the_last_page_of_the_text(lines: int, tmp_path: Path) -> None:
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
    head = sources["main"].decode().partition("#outline")[0]
    text = "\n".join(f"#block[Line{number}]" for number in range(100 + lines))
    entries = ", ".join(f'(0, [word{number}], 6, ("end",), [])' for number in range(600))
    main = f'{head}\n{text}\n#metadata("end")<end>\n#text_ends #indexes(([Index], 8pt, ({entries})))'
    place = tmp_path / "text.pdf"
    place.write_bytes(print_pdf({**sources, "main": main.encode()}))
    assert blank_columns(place, 0.25) == []
    pages = [[word for *_, word in page] for page in words_of(place)]
    ends = next(number for number, page in enumerate(pages) if f"Line{99 + lines}" in page)
    assert sum(word.startswith("word") for page in pages for word in page) == 600
    assert pages[ends][-1] == str(ends + 1), "the index begins on the page on which the text ends"


@needs_typst
@needs_poppler
def test_charts_are_on_a_page_of_their_own_after_the_contents(tmp_path: Path) -> None:
    """The page after the charts has its own running head."""
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
    head = sources["main"].decode().partition("#outline")[0]
    text = "\n".join(f"#block[Line{number}]" for number in range(300))
    panels = ", ".join(f"panel([Chart{number}], [said])" for number in range(3))
    main = f"{head}\n#plates([Charts], {panels})\n= Hay\n{text}"
    (tmp_path / "plate.pdf").write_bytes(print_pdf({**sources, "main": main.encode()}))
    pages = lines_of(tmp_path / "plate.pdf")
    assert [sum(line.startswith("Chart") for line in page[1:]) for page in pages] == [0, 4, 0, *[0] * (len(pages) - 3)]
    assert "Charts" in pages[1][0]
    assert all("Hay" in page[0] and "Charts" not in page[0] for page in pages[2:])


def test_numbers_of_rulings_are_not_broken() -> None:
    old = fair()
    now = gather_contents(old, unplayed_outcomes(old), Baseline(replace(old, rulings={}), "the old fair"))
    main = write_leaflet_text(now, "The Fair", "The Fair")["main"].decode()
    numbers = [number for thing, number in now.numbers.items() if thing[0] == "ruling"]
    assert numbers
    assert all(f"{number.replace(' ', '~')}]" in main for number in numbers)


def test_phases_are_separate_items_of_the_card() -> None:
    stacked = load_stack("long_frost", []).graph
    assert stacked
    main = write_card_text(contents(stacked), "The Frost", "The Frost")["main"].decode()
    assert "#phase_of_card(2, [2.], [Movement], [2, 5])#item(3, [], [Move an army · Move by rail])" in main


def test_a_short_book_has_its_index_in_the_text_columns() -> None:
    brief = write_player_text(contents(fair()), "The Fair")["main"].decode()
    assert "#short_index(" in brief
    assert "#indexes(" not in brief
    assert "#plates(" not in brief


@needs_typst
@needs_poppler
def test_an_index_ends_in_columns_of_equal_height(tmp_path: Path) -> None:
    lines = ", ".join(f"(said: block[line{number}], width: {12 + number % 2 * 500}pt)" for number in range(252))
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
    head = sources["main"].decode().partition("#outline")[0]
    index = f"#context if query(<text-ends>).len() > 0 {{ in_columns((([Index], 8pt, ({lines})),), 3, 7mm, (2.5pt,)) }}"
    main = f"{head}\n#lorem(9)\n#text_ends {index}"
    (tmp_path / "index.pdf").write_bytes(print_pdf({**sources, "main": main.encode()}))
    pages = words_of(tmp_path / "index.pdf")
    heights = [
        Counter(round(y) for _, y, word in page if word.startswith("line")).values() for page in pages
    ]  # fmt: skip
    assert sum(sum(rows) for rows in heights) == 252
    assert all(rows for rows in heights[1:]), "no page but that of the title has a heading alone"
    assert [*heights[-1]].count(3) >= len(heights[-1]) - 1


@sampled(0)
@needs_typst
@needs_poppler
def test_columns_of_an_index_end_above_the_foot_of_the_page(tmp_path: Path) -> None:
    """Lines that almost fit are not measured as if they were justified."""
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
    head = sources["main"].decode().partition("#outline")[0]
    entries = ", ".join('(1, [downhill, woods or hedge in front of the target], 47, ("end",), [])' for _ in range(600))
    main = f'{head}\n#lorem(9)\n#metadata("end")<end>\n#text_ends #indexes(([Index], 7.5pt, ({entries})))'
    (tmp_path / "index.pdf").write_bytes(print_pdf({**sources, "main": main.encode()}))
    pages = words_of(tmp_path / "index.pdf")
    assert len(pages) > 2
    assert [(number, word) for number, page in enumerate(pages) for _, y, word in page if y < FOOT] == []


@sampled(0)
@needs_typst
def test_a_pdf_has_language_authors_publisher_and_keywords() -> None:
    book = carded()
    [layer] = book.layers
    book_contents = contents(
        replace(book, layers=(replace(layer, authors=("A. Reed", "B. Sedge"), publisher="Fen Press"),))
    )
    for sources in (
        write_book_text(book_contents, "The Fair", print_leaflet), write_player_text(book_contents, "The Fair"),
        write_card_text(book_contents, "The Fair", "The Fair"), write_chart_text(book_contents, "The Fair"),
        write_counter_text(book_contents, "The Fair"),
    ):  # fmt: skip
        pdf = print_pdf(sources)
        assert re.search(rb"/Lang\s*\(en\)", pdf)
        assert b"A. Reed" in pdf
        assert b"Published by Fen Press." in pdf
        assert re.search(rb"/Keywords\s*\(rules of play", pdf)


@needs_typst
@needs_poppler
def test_an_opening_is_broken_between_pages_before_its_steps(tmp_path: Path) -> None:
    sources = write_book_text(contents(fair()), "The Fair", print_leaflet)
    head = sources["main"].decode().partition("#outline")[0]
    steps = "#enum([Step], [Step], [Step], [Step], [Step], [Step])"
    opened = f"== Hay\n#opening([General words about hay.], [{steps}])"
    main = f"{head}\n#set page(columns: 1)\nTop#v(235mm)\n{opened}"
    (tmp_path / "opened.pdf").write_bytes(print_pdf({**sources, "main": main.encode()}))
    _, here, there = ([word for *_, word in page] for page in words_of(tmp_path / "opened.pdf"))
    assert {"Top", "Hay", "General"} <= {*here}
    assert "Step" not in here
    assert there.count("Step") == 6
    assert "PROCEDURE" in [word.upper() for word in there], "its heading goes with the steps"
