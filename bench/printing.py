"""Printing: a rulebook, a map in text."""

from collections.abc import Iterator

from bench.finding import Finding, best, once
from bench.playing import situation
from compiler.rulebook.book import count_pages, write_site
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
from rulewright.explain.views.chart import draw_chart
from rulewright.library.stacks import load_stack
from runtime.state.setup import from_card

SECTION = "printing"
BOOKS = ("old_millbrook", "ridge_farm", "before_the_tide")


def printing(*, quick: bool) -> Iterator[Finding]:
    """Measure what is printed."""
    for name in BOOKS[-1:] if quick else BOOKS:
        yield from printed(name)


def printed(name: str) -> Iterator[Finding]:
    """Print what there is to one situation."""
    rules = situation(name)
    assert rules.scenario is not None
    book: dict[str, bytes] = {}
    stack = load_stack(rules.stack).graph
    assert stack is not None
    spent = once(lambda: book.update(write_site(Contents(stack, unplayed_outcomes(stack), None), live_book=None)))
    yield Finding(SECTION, f"the rulebook of {rules.stack}, {count_pages(book)} pages", "s", spent)
    state, hexes = from_card(rules), len(rules.scenario.board.hexes)
    drawn = best(lambda: draw_chart(state, 160))[0]
    yield Finding(SECTION, f"the map of {name} in text, {hexes} hexes", "s", drawn)
