"""Errata by date: rulings that change an answer, the rules before them, and their dates."""

from dataclasses import replace

from compiler.rulebook.contents import Contents
from compiler.rulebook.errata import gather_errata
from compiler.rulebook.evidence import unplayed_outcomes
from runtime.graph import nodes as graph
from tests.books.fair import fair


def contents_of(book: graph.Graph) -> Contents:
    return Contents(book, unplayed_outcomes(book), None)


def dated(**dates: str) -> graph.Graph:
    """Return the game with a document of 2014 that its rulings cite, and with dates of rulings."""
    book = fair()
    document = graph.Document("Q", "Questions", "", (), date="2014-06")
    dated_labels = tuple((label.replace("_", "-"), date) for label, date in dates.items())
    return replace(
        book,
        documents=(*book.documents, document),
        layers=(*book.layers[:-1], replace(book.layers[-1], dates=dated_labels)),
    )


def test_a_ruling_has_the_date_of_its_document() -> None:
    ((date, (erratum,)), *others) = gather_errata(contents_of(dated())).groups
    assert date == "2014-06"
    assert erratum.thing == ("ruling", "light-loads")
    assert [thing for thing, _ in erratum.before] == [("rule", "lane-price")]
    assert erratum.now == "They pay one point."
    assert others == []


def test_the_date_of_a_ruling_overrides_that_of_its_document() -> None:
    ((date, _),) = gather_errata(contents_of(dated(light_loads="1976"))).groups
    assert date == "1976"


def test_rulings_that_change_no_answer_are_counted() -> None:
    first_errata = gather_errata(contents_of(fair()))
    assert sum(len(errata) for _, errata in first_errata.groups) + first_errata.without == len(fair().rulings)
    assert first_errata.without == 2
