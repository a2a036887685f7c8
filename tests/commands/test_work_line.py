"""The progress line of a long command, and its estimate of the remaining time."""

import os
import signal
import sys
import time

import pytest

from rulewright.cli import work_line as module
from rulewright.cli.console import show_progress
from rulewright.cli.work_line import CLEAR, WorkLine, line_text
from rulewright.progress import (
    PROGRESS,
    CommandStage,
    counted_progress,
    listen_to_stages,
    pace_of,
    progress_in,
    report_stage,
)


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


def test_a_log_gets_a_line_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    read, end = os.pipe()
    monkeypatch.setattr(module, "LOG_INTERVAL", 0.001)
    with os.fdopen(end, "w") as stderr, os.fdopen(read) as log:
        monkeypatch.setattr(sys, "stderr", stderr)
        with WorkLine().running(), show_progress("games of low_tide", 7) as moved:
            assert log.readline().startswith("working, ")
            moved(3, 7)
            seen = {log.readline() for _ in range(9)}
    assert any(each.startswith("games of low_tide, 3 of 7 done, ") for each in seen)


def test_a_short_command_writes_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    read, end = os.pipe()
    with os.fdopen(end, "w") as stderr, os.fdopen(read) as log:
        monkeypatch.setattr(sys, "stderr", stderr)
        with WorkLine().running(), show_progress("games of low_tide", 7) as moved:
            moved(3, 7)
        stderr.close()
        assert not log.read()


def test_no_timer_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer that fires later would end the process."""
    monkeypatch.setattr(module, "LOG_INTERVAL", 0.001)
    line = WorkLine()
    with line.running():
        time.sleep(0.01)
        with line.paused():
            time.sleep(0.01)
            line.end()
        line.end()
        time.sleep(0.01)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with line.running(), line.paused():
        line.end()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_parent_program_gets_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    read, end = os.pipe()
    monkeypatch.setenv(PROGRESS, "1")
    with os.fdopen(end, "w") as stderr, os.fdopen(read) as log:
        monkeypatch.setattr(sys, "stderr", stderr)
        with WorkLine().running(), show_progress("games of low_tide", 7) as moved:
            moved(3, 7)
        assert progress_in(log.readline()) == {"what": "games of low_tide", "done": 3, "of": 7}
