"""Every phase of the games that are shipped leads to what says what is done in it."""

from collections.abc import Iterator

import pytest

from compiler.rulebook.steps import Line, procedure_lines
from rulewright.library.stacks import load_stack, open_packages
from tests.sample import LONG
from tests.soak.stacks import options, together

GAMES = ("two_clans", "low_tide", "long_frost", "panzer_grenadier", "panzer_leader", "panzerblitz")
VARIANTS = ("pl1940", "panssari_salama")


def phases(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        if line.title:
            yield line
        yield from phases(line.inside)


@pytest.mark.parametrize("stack", [*GAMES, *(pytest.param(name, marks=LONG) for name in VARIANTS)])
def test_every_phase_leads_to_what_is_done_in_it(stack: str) -> None:
    assert leading_nowhere(stack) == []


@pytest.mark.parametrize("game", [pytest.param(name, marks=LONG) for name in (*GAMES, *VARIANTS)])
def test_so_does_every_phase_of_an_option(game: str) -> None:
    found = open_packages()
    alone = [together(found, game, [name]) for name in options(found, game)]
    assert [(stack, phase) for stack in alone for phase in leading_nowhere(stack)] == []


def leading_nowhere(stack: str) -> list[str]:
    """List the phases that lead to no case and no chart."""
    book = load_stack(stack, []).graph
    assert book
    led = {name for layer in book.layers for name, cases in layer.phases if cases}
    return [line.title for line in phases(procedure_lines(book, book.procedures["sequence"])) if line.called not in led]
