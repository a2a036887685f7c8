"""Titles of charts, and charts that only the umpire's edition prints."""

from dataclasses import replace

import pytest

from compiler.rulebook.book import write_site
from compiler.rulebook.charts import printed_chart
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.sheets import write_chart_text
from compiler.rulebook.paper.typst_writer import write_book_text
from tests.books.fair import fair
from tests.books.gathered import contents_of
from tests.books.test_reading import STACKS
from tests.sample import sampled


def titled(title: str, edition: str = "") -> Contents:
    """Return the contents of the fair with a title of a chart, for all editions or one."""
    book = fair()
    changed = replace(book.tables["prices"], title=title, edition=edition)
    book = replace(book, tables={**book.tables, "prices": changed})
    return Contents(book, unplayed_outcomes(book), None)


def test_a_declared_title_takes_the_place_of_the_wording() -> None:
    book = fair()
    assert printed_chart(book, book.tables["prices"]).title != "Costs of hay"
    contents = titled("Costs of hay")
    assert contents.titles["chart", "prices"] == "Costs of hay"
    assert "costs of hay" in {entry.word for entry in contents.keywords}
    assert "Costs of hay" in write_site(contents, live_book=None)["charts.html"].decode()


def test_a_chart_for_the_umpire_is_in_no_edition_of_players() -> None:
    both, umpire = titled("Costs of hay"), titled("Costs of hay", "umpire")
    for contents, is_printed in ((both, True), (umpire, False)):
        players = (write_player_text(contents, "Fair"), write_chart_text(contents, "Fair"))
        assert [("Costs of hay" in each["main"].decode()) for each in players] == [is_printed, is_printed]
        assert "Costs of hay" in write_book_text(contents, "Fair")["main"].decode()
        site = write_site(contents, live_book=None)["charts.html"].decode()
        assert "Costs of hay" in site
        assert ("On paper only the umpire’s edition prints this chart." in site) is not is_printed


@sampled(1)
@pytest.mark.parametrize("stack", STACKS)
def test_each_shipped_chart_has_a_title(stack: str) -> None:
    contents = contents_of(stack)
    assert [name for name, table in contents.book.tables.items() if not table.title] == []
    on_card = {name for layer in contents.book.layers for side in layer.card for name in side}
    assert on_card.isdisjoint(chart.name for chart in contents.charts if chart.edition)
