"""A few hundred mutants of every entry, the same ones until the seed is changed.

The long run is `python -m tests.fuzz all -n 100000`, and it also counts what takes a second. How long a mutant takes
here depends on the load of the machine, so here only what never ends is found. Of the few hundred one in 96 is in every
run, all of them with `--all`.
"""

from pathlib import Path

import pytest

from tests.fuzz.findings import HOPELESS
from tests.fuzz.packages import SMALL
from tests.fuzz.run_mutants import TARGETS, Range, run_mutants
from tests.sample import LONG

COUNTS = {"rules": 70, "tables": 50, "frames": 30, "position": 300, "ask": 500, "graph": 25, "trial": 500}


@pytest.mark.parametrize("share", [96, pytest.param(1, marks=LONG)])
@pytest.mark.parametrize("target", TARGETS)
def test_no_mutant_gets_through(target: str, share: int, tmp_path: Path) -> None:
    which = Range(max(1, COUNTS[target] // share), seed=1, stacks=SMALL, patience=HOPELESS)
    assert [(failure.number, failure.what) for failure in run_mutants(target, which, tmp_path)] == []


def test_every_target_is_tried() -> None:
    assert set(COUNTS) == set(TARGETS)
