"""Every action and resolution of the shipped games has a heading in words, which no procedure of the other kind has."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from compiler.rulebook.naming import titles_of_things
from compiler.rulebook.openings import procedure_heading
from compiler.rulebook.sentences import default_sentence
from compiler.rulebook.steps import procedure_lines
from runtime.graph import nodes as graph
from tests.sample import sampled
from tests.shipped.test_variant_changes import shipped_packages
from tests.soak.stacks import options

GAMES = ("panzer_leader", "panzerblitz", "panzer_grenadier", "long_frost", "two_clans", "low_tide")
DONE = ("action", "resolution")


def unheaded(book: graph.Graph) -> Iterator[str]:
    """Yield actions and resolutions without a heading in words, and headings that both kinds share."""
    titles = titles_of_things(book)
    called: dict[str, set[str]] = defaultdict(set)
    for key, procedure in book.procedures.items():
        if procedure.what in DONE:
            called[titles["procedure", key]].add(procedure.what)
            if not procedure.reads and not procedure_heading(book, procedure.what, procedure.name):
                yield key
    yield from (f"{title}: an action and a resolution" for title, kinds in called.items() if len(kinds) > 1)


@sampled(1)
@pytest.mark.parametrize("game", GAMES)
def test_actions_and_resolutions_have_distinct_headings(game: str) -> None:
    found = shipped_packages()
    for stack in (game, *(f"{game}+{option}" for option in options(found, game))):
        book = found.compiled(stack).graph
        assert book is not None
        assert [*unheaded(book)] == [], stack


def test_a_default_below_its_scale_is_printed_as_less_than_the_lowest_place() -> None:
    book = shipped_packages().compiled("panzerblitz+panzerbitz_thunder").graph
    assert book is not None
    odds = [book.terms[name] for name in ("thunder_odds", "column")]
    assert [default_sentence(book, term) for term in odds] == ["Unless a rule says otherwise, it is less than 1-4."] * 2


def test_a_step_that_relates_has_the_wording_of_the_relation() -> None:
    book = shipped_packages().compiled("panzerblitz+pb_assault").graph
    assert book is not None
    steps = [line.text for each in book.procedures.values() for line in procedure_lines(book, each)]
    assert "From now on the unit has put down the load." in steps
    assert not any("paired as" in step for step in steps)
