"""ruff and mypy report no problem; pyproject.toml has their configuration."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.sample import LONG
from tests.tidy.check import ROOT


@pytest.mark.parametrize(
    "command",
    [
        "ruff check --quiet --output-format concise .",
        "ruff format --check --quiet .",
        pytest.param("mypy --no-error-summary", marks=LONG),  # CI runs it separately
    ],
)
def test_tools_report_no_problem(command: str) -> None:
    tool = command.partition(" ")[0]
    if find_spec(tool) is None:
        pytest.skip(f"NOT CHECKED: {tool} is not installed; `python3 -m tests` brings it")
    run = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if run.returncode:
        pytest.fail(f"{command}\n{run.stdout}{run.stderr}", pytrace=False)
