"""A few hundred mutants of every kind of input, by a fixed seed.

The long run is `python -m tests.fuzz all -n 100000`, which also reports mutants that take a second longer than usual.
Times here depend on the load of the machine, so only hangs are failures. Every run has a 96th of the mutants, and
`--all` has all of them.
"""

from pathlib import Path

import pytest

from tests.fuzz.findings import HOPELESS
from tests.fuzz.packages import SMALL
from tests.fuzz.run_mutants import TARGETS, Range, run_mutants
from tests.sample import LONG, sampled

COUNTS = {"rules": 70, "tables": 50, "frames": 30, "position": 300, "ask": 500, "trial": 500}


@sampled(1)
@pytest.mark.parametrize("share", [96, pytest.param(1, marks=LONG)])
@pytest.mark.parametrize("target", TARGETS)
def test_mutants_have_no_failures(target: str, share: int, tmp_path: Path) -> None:
    which = Range(max(1, COUNTS[target] // share), seed=1, stacks=SMALL, patience=HOPELESS)
    assert [(failure.number, failure.what) for failure in run_mutants(target, which, tmp_path)] == []


def test_all_targets_are_run() -> None:
    assert set(COUNTS) == set(TARGETS)
