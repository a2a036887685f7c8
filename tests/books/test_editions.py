"""Editions of a book: the title of each, and the sentences that it contains."""

import re

import pytest

from compiler.rulebook.advisory_questions import advisory_questions
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.quick_reference import write_card_text
from compiler.rulebook.paper.sheets import write_chart_text, write_counter_text
from compiler.rulebook.paper.typeset import can_print, escape, print_pdf
from compiler.rulebook.paper.typst_writer import write_book_text
from compiler.rulebook.sentences import with_capital
from tests.books.fair import fair
from tests.books.gathered import contents_of

pytestmark = pytest.mark.skipif(not can_print(), reason="NOTHING PRINTED: typst is not installed")


@pytest.fixture(scope="module")
def contents() -> Contents:
    """Return the contents of the small game."""
    return Contents(fair(), unplayed_outcomes(fair()), None)


def test_every_edition_has_a_title_of_its_own(contents: Contents) -> None:
    written = (
        write_card_text(contents, "The Fair", "The Fair"), write_player_text(contents, "The Fair"),
        write_book_text(contents, "The Fair"), write_chart_text(contents, "The Fair"),
        write_counter_text(contents, "The Fair"),
    )  # fmt: skip
    titles = [re.findall(rb"/Title\s*\((The Fair[^)]*)\)", print_pdf(sources)) for sources in written]
    assert all(titles)
    assert len({title[0] for title in titles}) == len(written)


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz", "long_frost"])
def test_a_players_edition_has_every_sentence(stack: str) -> None:
    """Rules without logic, which only clarify, are included."""
    found = contents_of(stack)
    text = b"".join(write_player_text(found, "Rules").values()).decode(errors="ignore")
    advising = advisory_questions(found.book)
    sentences = {
        label: rule.prose
        for label, rule in found.book.rules.items()
        if rule.prose and not rule.ruling and not ({*rule.terms} and {*rule.terms} <= advising)
    }
    assert len(sentences) > 30
    assert [label for label, prose in sentences.items() if escape(prose) not in text] == []
    deeds = {name: procedure.prose for name, procedure in found.book.procedures.items() if procedure.prose}
    assert len(deeds) > 10
    assert [name for name, prose in deeds.items() if escape(prose) not in text] == []
    titles = re.findall(r"#short\(0, false, \[\*(.*?)\.\*", text)
    assert len(titles) > 10
    assert len({*titles}) == len(titles), "what follows from one event is one paragraph"


@pytest.mark.parametrize("stack", ["panzer_leader", "long_frost"])
def test_a_players_edition_has_charts_with_legends_and_without_sources(stack: str) -> None:
    found = contents_of(stack)
    text = write_player_text(found, "Rules")["main"].decode()
    assert found.players_charts
    for chart in found.players_charts:
        assert not chart.grid or f"{with_capital(chart.down)} down, {chart.across} across" in text
        assert [sense for _, sense in chart.codes if escape(sense) not in text] == []
        assert [cite for cite in chart.cites if f"[{escape(cite)}]" in text] == []
    assert any(chart.codes for chart in found.players_charts)
