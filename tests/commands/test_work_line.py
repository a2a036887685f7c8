"""The progress line of a long command, and its estimate of the remaining time."""

import io
import os
import sys

import pytest

from rulewright.cli import work_line as module
from rulewright.cli.work_line import CLEAR, WorkLine, line_text
from rulewright.progress import CommandStage, counted_progress, listen_to_stages, pace_of, report_stage


@pytest.mark.parametrize(
    ("done", "of", "started_count", "seconds", "found"),
    [
        (0, 10, 0, 9.0, None),
        (5, 10, 5, 9.0, None),  # All done items are stored ones.
        (8, 10, 0, 0.001, None),  # The time is too short for an estimate.
        (20, 100, 0, 10.0, (2.0, 40.0)),
        (120, 200, 100, 10.0, (2.0, 40.0)),  # A hundred items are stored ones and not counted.
        (200, 200, 100, 10.0, (10.0, 0.0)),
    ],
)
def test_the_pace_leaves_out_stored_items(
    done: int, of: int, started_count: int, seconds: float, found: tuple[float, float] | None
) -> None:
    assert pace_of(done, of, started_count, seconds) == found


def test_stages_are_reported_to_listeners() -> None:
    lines: list[CommandStage] = []
    with listen_to_stages(lines.append):
        report_stage("compiling x")
        assert list(counted_progress("cards", "ab")) == ["a", "b"]
    report_stage("nobody hears this")
    assert list(map(str, lines)) == ["compiling x", "cards, 0 of 2 done", "cards, 1 of 2 done"]


def test_the_line_is_no_wider_than_the_screen() -> None:
    assert line_text(None, 3.2, 80) == "working, 3 s"
    assert len(line_text(CommandStage("compiling a stack with a long name", 3, 7), 12, 30)) < 30


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_the_line_is_drawn_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, end = os.openpty()
    monkeypatch.setattr(module, "FIRST_DELAY", 0.001)
    monkeypatch.setattr(module, "INTERVAL", 0.001)
    line, drawn = WorkLine(), ""
    with os.fdopen(end, "w") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        with line.running():
            report_stage("compiling low_tide")
            while "compiling low_tide" not in drawn:
                drawn = os.read(screen, 1000).decode()
            with line.paused():
                while drawn != CLEAR:  # Earlier drawings may still be in the buffer.
                    drawn = os.read(screen, 1000).decode()[-len(CLEAR) :]
        assert not line._is_shown
    os.close(screen)


def test_no_line_is_drawn_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_DELAY", 0.001)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    line = WorkLine()
    with line.running():
        assert not line._is_running
