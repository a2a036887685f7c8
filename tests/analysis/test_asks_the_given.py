"""A line that asks what its example gives is reported; another question that depends on a given answer is not."""

from pathlib import Path

import pytest

from compiler.analysis.checks.asks_the_given import asks_the_given
from tests.analysis.planted import compiled

RULES = """
side north, south
kind cart has pace: 1..4
value price(c: cart, h: hex): 0..9
value way(c: cart, h: hex): 0..9
rule fixed price is 2
rule sum way is price(c, h) + 1
example "carts" {
  row A, B
  piece C: cart at A
  piece D: cart at A
  given price(C, B) = 5
  LINE
}
"""
MANIFEST = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


@pytest.mark.parametrize(
    ("line", "questions"),
    [
        ("ask price(C, B) = 5", ["price(C, B)"]),
        ("ask price(C, B)", ["price(C, B)"]),
        ("ask way(C, B) = 6", []),
        ("ask price(C, B) + 1 = 6", []),
        ("ask price(D, B) = 2", []),
        ("ask price(C, A) = 2", []),
    ],
)
def test_what_is_asked_and_given(line: str, questions: list[str], tmp_path: Path) -> None:
    stack = compiled({"layer.yaml": MANIFEST, "a.rules": RULES.replace("LINE", line)}, tmp_path, "planted")
    assert [each.question for each in asks_the_given(stack)] == questions
