"""Processes that are killed during play lose no acknowledged line; 200 kills: `python -m tests.table`."""

import os
import random
from pathlib import Path

import pytest

from tests.sample import LONG, sampled
from tests.table.killing import Killer, whole


@sampled(0)
@pytest.mark.skipif(os.name == "nt", reason="kill -9 is not known here")
@pytest.mark.parametrize("kills", [1, pytest.param(2, marks=LONG)])
def test_no_acknowledged_line_is_lost(kills: int, tmp_path: Path) -> None:
    killer = Killer(tmp_path / "a.trial", "7", random.Random("a few"))
    killer.play(whole("7"), kills)
    assert killer.kills == kills
