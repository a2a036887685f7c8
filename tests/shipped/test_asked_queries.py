"""The queries that layers declare as `asked`: some for each rule, ruling and chart, and no query in two places."""

from collections.abc import Iterable, Iterator, Mapping

import pytest

from compiler.rulebook.contents import Contents
from compiler.rulebook.headings import Heading, RuleEntry, entries_of, headings_of
from compiler.rulebook.index.stems import SUBJECT_WORDS, split_tokens, stems
from tests.books.gathered import contents_of
from tests.sample import LONG, sampled

OPTIONS = (
    "emplacing",
    "field_of_fire",
    "functional_mobility_1940",
    "functional_mobility_fire",
    "naval_support_fire",
    "panzerblitz_assault_1940",
    "panzerblitz_assault_fire",
    "quick_time",
    "smoke_shells",
)
OTHERS = (
    "panssari_salama+panzerbitz_concealed",
    "panzer_grenadier+pg_many_players+pg_overrun+pg_preplotted+pg_smoke",
    "panzer_grenadier+pg_mire+pg_random_events+pg_recon_by_fire+pg_ruins+pg_strategic_movement+pg_tank_riders"
    "+pg_variable_night",
    "panzerblitz+panzerbitz_headroom+panzerbitz_heavy+panzerbitz_horseshoes+panzerbitz_thunder",
    "panzerblitz+pb_assault+pb_emplacing+pb_experimental_fire+pb_intensive_fire+pb_mounted_guns",
    "panzerblitz_cards",
    "long_frost+frost_chits+frost_pressure",
    "long_frost+frost_short_days",
    "low_tide",
    "two_clans",
)
BOOKS = ("pl1940", "panzerblitz", *(pytest.param(each, marks=LONG) for each in (*OPTIONS, *OTHERS)))


def printed_labels(contents: Contents) -> Iterator[str]:
    """Return the labels of the rules, rulings and charts that a book prints.

    A case needs none: it is a result of its own, and would displace its rules.
    """
    for section in contents.outline:
        for entry in entries_of(section):
            yield entry.label if isinstance(entry, RuleEntry) else entry.ruling
    yield from (chart.name for chart in contents.charts)


def repeated_queries(
    declared: Iterable[tuple[str, tuple[str, ...]]], sections: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Return the queries with the words of an earlier one, with both labels.

    Two labels under one heading are one result of the search, so a query may be declared for both. Queries of one
    action may differ in stop words alone, as plain words tell *get on* from *get into*, and any in who acts.
    """
    first: dict[tuple[str, ...], str] = {}
    found = []
    for label, query in ((label, query) for label, queries in declared for query in queries):
        words = (*stems(query), *sorted(SUBJECT_WORDS.intersection(split_tokens(query))))
        earlier = first.get(words, "")
        is_repeated = earlier == label and not label.startswith("action ")
        if earlier and (is_repeated or sections.get(earlier, earlier) != sections.get(label, label)):
            found.append((earlier, label, query))
        first[words] = earlier or label
    return found


@sampled(1)
@pytest.mark.parametrize("stack", BOOKS)
def test_all_that_is_printed_has_queries(stack: str) -> None:
    contents = contents_of(stack)
    declared = {label for layer in contents.book.layers for label, queries in layer.asked if queries}
    labels = [*printed_labels(contents)]
    assert labels
    assert [label for label in labels if label not in declared] == []


@pytest.mark.parametrize("stack", BOOKS)
def test_no_query_leads_to_two_results(stack: str) -> None:
    contents = contents_of(stack)
    sections = {
        entry.label if isinstance(entry, RuleEntry) else entry.ruling: part.label
        for section in contents.outline
        for part in headings_of(section)
        for entry in entries_of(Heading("", "", "", part.entries, ()))
    }
    assert sections
    # A layer may ask again what one below it asks, where its rule gives another answer.
    found = [one for layer in contents.book.layers for one in repeated_queries(layer.asked, sections)]
    assert found == []


def test_repeated_queries_are_found() -> None:
    sections = {"rain": "weather", "hail": "weather", "carts": "roads"}
    declared = (
        ("rain", ("wet road", "umbrella", "umbrellas")),
        ("hail", ("wet roads", "ice")),
        ("carts", ("the wet road", "wheels")),
    )
    assert repeated_queries(declared, sections) == [("rain", "rain", "umbrellas"), ("rain", "carts", "the wet road")]
    assert repeated_queries(declared[:1], {}) == [("rain", "rain", "umbrellas")]
    assert repeated_queries((("rain", ("wet",)), ("carts", ("ice",))), sections) == []
    assert repeated_queries((("rain", ("can I see",)), ("carts", ("who can see",))), sections) == []
