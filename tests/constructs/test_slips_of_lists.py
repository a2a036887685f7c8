"""What a list names twice, what stands in braces and is nobody's name, and sentences that changed places."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.report.diagnose import say
from tests.analysis.planted import library_of

MANIFEST = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart has speed: 0..9
trait cart: tall, wheeled
domain die = 1..6
verdict may_go(c: cart) default allowed
  reads "{c} may go" denied "{c} may not go"
case going "Going" { rule tall-stay [house] "The tall stay."  may_go forbidden  when c is tall }
"""
CHART = """table: pace
cites: house
reads: "the pace on a {die}"
keys: {die: die}
cell: number
rows: [{die: 1..3, is: 1}, {die: 4..6, is: 2}]
---
pieces: cart
cites: house
columns: [id, side, speed, traits]
rows: [[dray, north, 4, [tall, wheeled]]]
"""
CARD = "card: [[sequence, going], [pace]]\n"


def said_of(folder: Path, rules: str = RULES, chart: str = CHART, manifest: str = MANIFEST + CARD) -> list[str]:
    """What is said of a game of three files."""
    files = {"layer.yaml": manifest, "case.rules": rules, "chart.yaml": chart}
    return [say(problem).message for problem in compile_stack(library_of(files, folder), "planted").problems]


def test_nothing_is_said_of_what_is_sound(tmp_path: Path) -> None:
    assert said_of(tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"chart": CHART.replace("[tall, wheeled]", "[tall, tall]")}, "`tall` stands twice in this list"),
        ({"chart": CHART.replace("a {die}", "a {dice}")}, "`{dice}` in what is said here is no name of this chart"),
        ({"manifest": MANIFEST + CARD.replace("[pace]", "[pace, going]")}, "`going` stands twice in this list"),
        (
            {"rules": RULES.replace("may go", "may XX go").replace("may not go", "may go").replace("XX", "not")},
            "yes is said with a `not` here, and no without it",
        ),
        (
            {"rules": RULES.replace("may go", "cannot go").replace("may not go", "can go")},
            "yes is said with a `not` here, and no without it",
        ),
    ],
)
def test_slips_are_told_once(tmp_path: Path, changed: dict[str, str], said: str) -> None:
    assert said_of(tmp_path, **changed) == [said]
