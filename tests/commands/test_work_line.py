"""The progress line of a long command, and its estimate of the remaining time."""

import os
import sys

import pytest

from rulewright.serve.cli import work_line as module
from rulewright.serve.cli.console import show_progress
from rulewright.serve.cli.work_line import CLEAR, WorkLine
from rulewright.system.progress import (
    PROGRESS,
    CommandStage,
    counted_progress,
    listen_to_stages,
    progress_in,
    report_stage,
)


def test_stages_are_reported_to_listeners() -> None:
    lines: list[CommandStage] = []
    with listen_to_stages(lines.append):
        report_stage("compiling x")
        assert list(counted_progress("cards", "ab")) == ["a", "b"]
    report_stage("nobody hears this")
    assert list(map(str, lines)) == ["compiling x", "cards, 0 of 2 done", "cards, 1 of 2 done"]


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


def test_a_short_command_writes_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    read, end = os.pipe()
    with os.fdopen(end, "w") as stderr, os.fdopen(read) as log:
        monkeypatch.setattr(sys, "stderr", stderr)
        with WorkLine().running(), show_progress("games of low_tide", 7) as moved:
            moved(3, 7)
        stderr.close()
        assert not log.read()


def test_a_parent_program_gets_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    read, end = os.pipe()
    monkeypatch.setenv(PROGRESS, "1")
    with os.fdopen(end, "w") as stderr, os.fdopen(read) as log:
        monkeypatch.setattr(sys, "stderr", stderr)
        with WorkLine().running(), show_progress("games of low_tide", 7) as moved:
            moved(3, 7)
        assert progress_in(log.readline()) == {"what": "games of low_tide", "done": 3, "of": 7}
