"""Differing texts of procedures are shown with the lines between the differences."""

import pytest

from rulewright.lab.contrast.behavior_differences import _different_lines

SAME = ["If it is worn:", "  It is worn.", "Otherwise:", "  It is gone."]


@pytest.mark.parametrize(
    ("one", "other", "context_lines"),
    [
        (SAME, SAME, ([], [])),
        # A line between two differing ones is kept, such as `Otherwise:`.
        (["a", "x", "Otherwise:", "y", "b"], ["a", "p", "Otherwise:", "q", "b"],
         (["x", "Otherwise:", "y"], ["p", "Otherwise:", "q"])),
        (["x", *"12345", "y"], ["p", *"12345", "q"], (["x", "..", "y"], ["p", "..", "q"])),
        (["a", "b"], ["a"], (["b"], [])),
    ],
)  # fmt: skip
def test_lines_between_differences_are_kept_or_elided(
    one: list[str], other: list[str], context_lines: tuple[list[str], list[str]]
) -> None:
    assert _different_lines(one, other) == context_lines
