"""Long tests are left out, which is reported, and run by one option; of each kind one is in every run."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.sample import LONG, first_of_each
from tests.tidy.check import ROOT

TESTS = """
import pytest

@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.long)])
def test_it(number):
    pass
"""
LEFT_OUT = "1 long tests left out; `python3 -m tests --all` runs them too"


@pytest.mark.parametrize(
    ("question", "passed", "is_reported"),
    [
        ("", 1, True),
        pytest.param("test_it.py -p xdist -n 1", 1, True, marks=LONG),
        ("--all", 2, False),
        pytest.param("test_it.py::test_it", 2, False, marks=LONG),
    ],
)
def test_what_is_left_out(question: str, passed: int, is_reported: bool, tmp_path: Path) -> None:
    if "-n" in question and find_spec("xdist") is None:
        pytest.skip("NOT CHECKED: pytest-xdist is not installed; `python3 -m tests` brings it")
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-W", "ignore", *question.split()]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{passed} passed" in run.stdout
    assert (LEFT_OUT in run.stdout) is is_reported


def test_the_first_of_each_kind_is_in_every_run() -> None:
    found = first_of_each(["a1", "a2", "b1", "a3", "b2"], lambda name: name[0])
    assert [each for each in found if isinstance(each, str)] == ["a1", "b1"]
    assert [(each.values, [mark.name for mark in each.marks]) for each in found if not isinstance(each, str)] == [
        ((name,), ["long"]) for name in ("a2", "a3", "b2")
    ]
