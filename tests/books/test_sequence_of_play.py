"""The sequence of play is a numbered list in every edition, with links from phases to their cases."""

import re
from dataclasses import replace
from pathlib import Path

from compiler.compile import compile_stack
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.sequence_of_play import TurnStep, number_turn
from compiler.rulebook.steps import ProcedureLine
from compiler.rulebook.table import table_lines
from compiler.source.package import discover_layers
from tests.books.fair import fair
from tests.books.site import write_book

PHASE = "driving"


def phased() -> Contents:
    """Return the contents of the game with a case for a phase."""
    book = fair()
    [layer] = book.layers
    book = replace(book, layers=(replace(layer, phases=((PHASE, ("going", "not-printed")),)),))
    return Contents(book, unplayed_outcomes(book), None)


def phase(title: str, *inside: ProcedureLine) -> ProcedureLine:
    return ProcedureLine("", title, (), (), inside)


def loop(message: str, *inside: ProcedureLine, called: str = "") -> ProcedureLine:
    return ProcedureLine(message, "", (), (), inside, called)


def marks(steps: tuple[TurnStep, ...]) -> list[str]:
    """List the marks of all steps; a step without a mark is a dash."""
    return [mark for step in steps for mark in (step.mark or "-", *marks(step.inside))]


def test_steps_and_phases_are_numbered_from_one_in_each_turn() -> None:
    player = loop("For each player:", phase("Fire", loop("One."), loop("Two.", loop("x"), loop("y"))), called="player")
    lines = (loop("Deal."), loop("For each side:", phase("Set-up", loop("Alone."))), loop("For each turn:", player,
             phase("Night"), called="turn"))  # fmt: skip
    messages = ["1.", "-", "2.", "-", "-", "-", "1.", "a.", "b.", "i.", "ii.", "2."]
    assert marks(number_turn(phased(), lines)) == messages


def test_a_phase_links_to_the_cases_that_its_layer_names() -> None:
    contents = phased()
    [each_turn] = number_turn(contents, table_lines(contents.book, contents.book.procedures["sequence"]))
    assert [step.cases for step in each_turn.inside] == [(("case", "going"),), ()]
    page = write_book(contents.book)["play.html"].decode()
    assert re.search(r'<span class="mark">1\.</span> <b>.*?</b> .*?<a href="cases/going\.html#', page)


def test_unknown_phases_and_cases_in_a_book_file_are_problems(tmp_path: Path) -> None:
    for name, text in {
        "layer.yaml": "layer: mine\nkind: base\n",
        "words.rules": 'kind cart\nverdict may_go(u: cart) default yes reads "{u} may go"\n'
        'case going "Going" {\n  rule tired-stay [house] "The tired stay."\n    may_go forbidden\n}\n'
        'sequence mine {\n  phase travel "Travel" { }\n}\n',
        "book.yaml": "book: []\nphases: {travel: [going, goings], travail: going}\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    library, found = discover_layers([tmp_path])
    assert not found
    problems = [getattr(each, "name", "") for each in compile_stack(library, "mine").problems]
    assert [name for name in problems if name] == ["travail", "goings"]
