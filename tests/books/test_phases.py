"""The book names a case or a chart for every phase of the shipped games."""

from collections.abc import Iterator

import pytest

from compiler.rulebook.steps import ProcedureLine, procedure_lines
from rulewright.library.stacks import load_stack, open_packages
from tests.sample import LONG
from tests.soak.stacks import options, together

GAMES = ("two_clans", "low_tide", "long_frost", "panzer_grenadier", "panzer_leader", "panzerblitz")
VARIANTS = ("pl1940", "panssari_salama")


def phases(lines: tuple[ProcedureLine, ...]) -> Iterator[ProcedureLine]:
    for line in lines:
        if line.title:
            yield line
        yield from phases(line.inside)


@pytest.mark.parametrize("stack", [*GAMES, *(pytest.param(name, marks=LONG) for name in VARIANTS)])
def test_every_phase_has_a_case(stack: str) -> None:
    assert phases_without_cases(stack) == []


@pytest.mark.parametrize("game", [pytest.param(name, marks=LONG) for name in (*GAMES, *VARIANTS)])
def test_every_phase_of_an_option_has_a_case(game: str) -> None:
    found = open_packages()
    alone = [together(found, game, [name]) for name in options(found, game)]
    assert [(stack, phase) for stack in alone for phase in phases_without_cases(stack)] == []


def phases_without_cases(stack: str) -> list[str]:
    """List the phases for which the book names no case."""
    book = load_stack(stack, []).graph
    assert book
    led = {name for layer in book.layers for name, cases in layer.phases if cases}
    return [line.title for line in phases(procedure_lines(book, book.procedures["sequence"])) if line.called not in led]
