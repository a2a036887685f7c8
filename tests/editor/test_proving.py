"""The process that proves for an editor reports findings of rules before it checks cards and examples."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler.analysis.budgets import MOST_PROOF_STEPS
from rulewright.serve.editor import proving
from tests.sample import LONG
from tests.toys.plain_game import plain_game

TWICE = '\nrule more [TOY.2] "Rest first." entry_cost is 9 MP exception to price-of-ground when mover is tired\n'


def replies_to(path: Path, text: str, *, once: bool) -> list[dict[str, Any]]:
    """Send one text to the process; return all its replies."""
    request = {"number": 1, "path": path.as_posix(), "text": text, "packages": [path.parent.parent.as_posix()],
             "steps": MOST_PROOF_STEPS, "once": once}  # fmt: skip
    command = [sys.executable, "-P", "-m", proving.__name__]
    completed = subprocess.run(command, input=json.dumps(request) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in completed.stdout.splitlines()]


def codes(notification: dict[str, Any], path: Path) -> list[str]:
    return [each["code"] for each in notification["found"][path.as_posix()]]


@pytest.mark.parametrize("once", [False, pytest.param(True, marks=LONG)])
def test_findings_of_rules_are_reported_first(tmp_path: Path, once: bool) -> None:
    plain_game("toy", tmp_path)
    path = tmp_path / "toy" / "moving.rules"
    early, whole = replies_to(path, path.read_text() + TWICE, once=once)
    assert early["partly"]
    assert not whole["partly"]
    assert "R0312" in codes(early, path)
    assert set(codes(early, path)) <= set(codes(whole, path))
