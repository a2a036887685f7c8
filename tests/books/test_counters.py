"""Names on counters: large, and clear of the numbers in the corners."""

import re

import pytest

from compiler.rulebook.drawings.counters import PrintedFace, draw_counter, name_lines, text_width
from compiler.rulebook.drawings.tints import tint_of
from compiler.rulebook.paper.sheets import write_counter_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk
from tests.books.gathered import contents_of

NAMES = ("Hummel", "Flammpanzer III", "airborne infantry platoon", "M8 howitzer carriage as artillery", "rifle", "D")
HEIGHT = re.compile(r'<text class="(\w+)"[^>]* y="([\d.]+)" font-size="([\d.]+)"')


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_clear_of_numbers_and_edge(name: str) -> None:
    lines, size = name_lines(name)
    assert max(map(text_width, lines)) * size < 0.9
    texts = HEIGHT.findall(draw_counter(PrintedFace(name, tint_of(""), ("10", "12", "3", "4"), "H", "12"), 2, 2, 100))
    numbers = [(float(y), float(high)) for kind, y, high in texts if kind == "factor"]
    tops = [(float(y) - 0.68 * float(high), float(y) + 0.1 * float(high)) for kind, y, high in texts if kind == "piece"]
    above = max(y for y, _ in numbers if y < 50)
    below = min(y - 0.68 * high for y, high in numbers if y > 50)
    assert tops
    assert all(above < top and bottom < below for top, bottom in tops)


@pytest.mark.parametrize("stack", ["panzer_leader", "panzerblitz"])
def test_each_kind_that_play_creates_has_a_counter_or_a_marker(stack: str) -> None:
    contents = contents_of(stack)
    book = contents.book
    steps = walk(tuple(procedure.body for procedure in book.procedures.values()))
    created = {step.kind for step in steps if isinstance(step, graph.Create)}
    assert created
    charted = {counter.kind for counter in book.counters.values()}
    press = write_counter_text(contents, "Counters")
    pictures = b"".join(data for name, data in press.items() if name.endswith(".svg")).decode()
    missing = {words.kind(kind, book.vocabulary) for kind in created - charted}
    assert [name for name in missing if f">{name}</text>" not in pictures] == []
