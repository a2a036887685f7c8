"""Types read as an author writes them."""

import pytest

from runtime.graph import nodes as graph
from runtime.graph.type_names import type_name


@pytest.mark.parametrize(
    ("low", "high", "measure", "text"),
    [(0, 9, "MP", "0..9 MP"), (0, 9, "", "0..9"), (None, None, "MP", "MP"), (None, None, "", "number")],
)
def test_numbers(low: int | None, high: int | None, measure: str, text: str) -> None:
    assert type_name(graph.Number(low, high, measure)) == text
