"""Long tests are left out with a report, and run by an option; the first one of each kind is in every run.

So are the cases of a test beyond its sample; `--rest` runs exactly those.
"""

import os
import re
import subprocess
import sys
from argparse import ArgumentTypeError
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import fraction
from tests.sample import LONG, first_of_each, sampled
from tests.tidy.check import ROOT

TESTS = """
import pytest

@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.long)])
def test_it(number):
    pass
"""
LEFT_OUT = "1 long tests left out; `python3 -m tests --all` runs them too"
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
@pytest.mark.parametrize(
    ("question", "passed", "is_reported"),
    [
        ("", 1, True),
        pytest.param("test_it.py -p xdist -n 1", 1, True, marks=LONG),
        ("--all", 2, False),
        pytest.param("test_it.py::test_it", 2, False, marks=LONG),
    ],
)
def test_long_tests_are_left_out_unless_requested(
    question: str, passed: int, is_reported: bool, tmp_path: Path
) -> None:
    if "-n" in question and find_spec("xdist") is None:
        pytest.skip("NOT CHECKED: pytest-xdist is not installed; `python3 -m tests` brings it")
    run = _run_alone(tmp_path, TESTS, *question.split())
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{passed} passed" in run.stdout
    assert (LEFT_OUT in run.stdout) is is_reported


def test_the_first_of_each_kind_is_in_every_run() -> None:
    found = first_of_each(["a1", "a2", "b1", "a3", "b2"], lambda name: name[0])
    assert [each for each in found if isinstance(each, str)] == ["a1", "b1"]
    assert [(each.values, [mark.name for mark in each.marks]) for each in found if not isinstance(each, str)] == [
        ((name,), ["long"]) for name in ("a2", "a3", "b2")
    ]


@sampled(0)
def test_the_parts_partition_the_long_tests(tmp_path: Path) -> None:
    runs = [_run_alone(tmp_path, LONG_ONES, "-s", "--long", f"{part}/3") for part in (1, 2, 3)]
    assert [run.returncode for run in runs] == [0, 0, 0], runs[0].stdout + runs[0].stderr
    numbers = [[int(number) for number in re.findall(r"ran (\d+)", run.stdout)] for run in runs]
    assert numbers[0] == [*range(10, 18), *range(34, 42), *range(58, 66)]
    assert sorted(number for each in numbers for number in each) == list(range(10, 80))
    assert "part 1 of 3 of the long tests; 46 of them left out, and all others" in runs[0].stdout


@pytest.mark.parametrize("part", ["0/3", "4/3", "3", "a/b", "-1/3"])
def test_an_invalid_part_is_refused(part: str) -> None:
    with pytest.raises(ArgumentTypeError, match="expected K/N with K from 1 to N"):
        fraction(part)


@sampled(0)
def test_an_invalid_part_ends_the_run(tmp_path: Path) -> None:
    run = _run_alone(tmp_path, LONG_ONES, "--long=4/3")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "expected K/N with K from 1 to N" in run.stderr


@sampled(1)
@pytest.mark.parametrize(
    ("options", "numbers", "is_reported"),
    [
        (["tests"], [0, 2, 5, 9], True),
        (["--rest", "tests"], [1, 3, 4, 6, 7, 8], False),
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
