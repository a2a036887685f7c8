"""Every section of the shipped books has an opening; those with procedures have a procedural one.

Openings without a procedure are listed here; a new opening must be classified as one of the two.
"""

import pytest

from compiler.rulebook.headings import headings_of
from compiler.rulebook.openings import CLOSED
from compiler.source.package import load_layer
from rulewright.library.stacks import open_packages
from tests.books.gathered import contents_of
from tests.books.test_reading import STACKS

# Layer -> sections that state facts or permissions, without steps.
STATES = {
    "core": {"obstacles", "other-attacks", "struck"},
    "panssari_salama": {"aerosans", "sleds", "winter"},
    "panzer_grenadier": {"ground-underfoot"},
    "panzer_leader": {"in-a-hex", "limits", "options", "wreckage", "works"},
    "panzer_leader_cards": {"situation-11", "situation-14"},
    "panzerblitz": {"armored-cars", "further-options", "in-a-hex", "map-notes", "options", "wreckage", "works"},
    "panzerblitz_cards": {
        "situation-1", "situation-7", "situation-10", "situation-12", "situation-15", "situation-17",
        "situations-3-to-10", "situations-12-to-20",
    },
    "pb_intensive_fire": {"intensive-fire"},
    "pb_mounted_guns": {"mounted-guns"},
    "pg_mire": {"mire-effects", "mire-terrain"},
    "pg_smoke": {"in-smoke", "in-the-light"},
    "pl1940": {"campaign", "cavalry", "motorcycles"},
    "pl1940_experimental": {"early-assaults", "rough-overruns", "tanks-in-cover"},
    "smoke_shells": {"smoke-shells"},
}  # fmt: skip


def test_openings_without_a_procedure_are_the_listed_ones() -> None:
    library = open_packages().library
    silent: dict[str, set[str]] = {}
    opened = 0
    for name in library.layers:
        source, _ = load_layer(library, name)
        for opening in (opening for book in source.books for opening in book.openings if opening.rule):
            opened += 1
            if not opening.procedure:
                silent.setdefault(name, set()).add(opening.case.text)
    assert opened > 100
    assert silent == STATES


@pytest.mark.parametrize("stack", STACKS)
def test_every_section_of_a_book_has_an_opening(stack: str) -> None:
    contents = contents_of(stack)
    headings = (heading.label for top in contents.outline for heading in headings_of(top))
    cases = [label for label in headings if label in contents.book.cases]
    assert cases
    assert [label for label in cases if not contents.openings.get(label, CLOSED).rule] == []
