"""Every section of the shipped books that has something one does opens with how it is done.

Sections that only say what a thing is, or count, are listed here: a new opening is classified as one of the two.
"""

from compiler.source.package import load_layer
from rulewright.library.stacks import open_packages

# Layer -> sections that say what things are, or what is allowed, and nothing step by step.
STATES = {
    "core": {"struck"},
    "panssari_salama": {"aerosans", "sleds", "winter"},
    "panzer_grenadier": {"ground-underfoot"},
    "panzer_leader": {"in-a-hex", "limits", "options", "wreckage", "works"},
    "panzerblitz": {"armored-cars", "further-options", "in-a-hex", "map-notes", "options", "wreckage", "works"},
    "pb_intensive_fire": {"intensive-fire"},
    "pb_mounted_guns": {"mounted-guns"},
    "pg_mire": {"mire-effects", "mire-terrain"},
    "pg_smoke": {"in-smoke", "in-the-light"},
    "pl1940": {"campaign", "cavalry", "motorcycles"},
    "pl1940_experimental": {"early-assaults", "rough-overruns", "tanks-in-cover"},
    "smoke_shells": {"smoke-shells"},
}


def test_sections_say_how_they_go() -> None:
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
