"""Texts of procedures that differ are shown so that one sees what belongs to what."""

import pytest

from rulewright.contrast.behavior import _different_lines

SAME = ["If it is worn:", "  It is worn.", "Otherwise:", "  It is gone."]


@pytest.mark.parametrize(
    ("one", "other", "context_lines"),
    [
        (SAME, SAME, ([], [])),
        # What stands between two lines that differ stays, an `Otherwise:` above all.
        (["a", "x", "Otherwise:", "y", "b"], ["a", "p", "Otherwise:", "q", "b"],
         (["x", "Otherwise:", "y"], ["p", "Otherwise:", "q"])),
        (["x", *"12345", "y"], ["p", *"12345", "q"], (["x", "..", "y"], ["p", "..", "q"])),
        (["a", "b"], ["a"], (["b"], [])),
    ],
)  # fmt: skip
def test_lines_between_are_kept(one: list[str], other: list[str], context_lines: tuple[list[str], list[str]]) -> None:
    assert _different_lines(one, other) == context_lines
