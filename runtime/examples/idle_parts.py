"""Unused parts of an example: forced dice and draws that no case consumes.

Only passing examples are checked: a failing one stops early.
"""

from collections.abc import Iterable, Iterator

from runtime.examples.failure import FailedLine
from runtime.examples.row_result import Run
from runtime.graph.grouping import group_by


def idle_parts(runs: Iterable[Run]) -> Iterator[FailedLine]:
    """Yield the parts that no case of an example uses."""
    cases = group_by(runs, lambda run: run.example.origin)
    for origin, case_runs in cases.items():
        title = case_runs[0].example.title
        if not all(run.has_passed for run in case_runs):
            continue
        dice_count, draw_count = (min(counts) for counts in zip(*(run.unused_counts for run in case_runs), strict=True))
        if dice_count:
            dice = "die" if dice_count == 1 else "dice"
            yield FailedLine(title, "", origin, "all its dice to be thrown", f"over with {dice_count} {dice} left", "")
        if draw_count:
            yield FailedLine(
                title, "", origin, "all that `draws` foresees to be drawn", f"over with {draw_count} left", ""
            )
