"""A run of the whole suite leaves out the cases beyond the samples, and `--rest` runs exactly those.

The parts of `--long` have each long test once.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import ROOT

LONG_ONES = """
import pytest

@pytest.mark.parametrize("number", [0, *(pytest.param(each, marks=pytest.mark.long) for each in range(10, 80))])
def test_it(number):
    print("ran", number)
"""

SAMPLED = """
import pytest

@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(8))
def test_it(number):
    print("ran", number)

@pytest.mark.sampled(0)
def test_alone():
    print("ran", 8)

def test_always():
    print("ran", 9)
"""
REST_LEFT_OUT = "6 tests beyond the samples left out; `python3 -m tests --rest` runs them"


def _run_alone(folder: Path, tests: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on one file with a copy of the conftest."""
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (folder / "test_it.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-W", "ignore", *options]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=alone, capture_output=True, text=True, check=False)


@sampled(0)
def test_the_parts_partition_the_long_tests(tmp_path: Path) -> None:
    runs = [_run_alone(tmp_path, LONG_ONES, "-s", "--long", f"{part}/3") for part in (1, 2, 3)]
    assert [run.returncode for run in runs] == [0, 0, 0], runs[0].stdout + runs[0].stderr
    numbers = [[int(number) for number in re.findall(r"ran (\d+)", run.stdout)] for run in runs]
    assert numbers[0] == [*range(10, 18), *range(34, 42), *range(58, 66)]
    assert sorted(number for each in numbers for number in each) == list(range(10, 80))
    assert "part 1 of 3 of the long tests; 46 of them left out, and all others" in runs[0].stdout


@sampled(1)
@pytest.mark.parametrize(
    ("options", "numbers", "is_reported"),
    [
        (["tests"], [0, 2, 5, 9], True),
        (["--rest", "tests"], [1, 3, 4, 6, 7, 8], False),
        (["--full", "tests"], [*range(10)], False),
        (["tests/test_it.py"], [*range(10)], False),
    ],
)
def test_a_run_of_the_whole_suite_has_samples_and_an_option_the_rest(
    options: list[str], numbers: list[int], is_reported: bool, tmp_path: Path
) -> None:
    (tmp_path / "tests").mkdir()
    run = _run_alone(
        tmp_path / "tests",
        SAMPLED,
        "-s",
        "--rootdir",
        "..",
        *(f"../{each}" if each.startswith("tests") else each for each in options),
    )
    assert sorted(int(number) for number in re.findall(r"ran (\d+)", run.stdout)) == numbers, run.stdout + run.stderr
    assert (REST_LEFT_OUT in run.stdout) is is_reported
