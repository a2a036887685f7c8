"""The packages around the core can be removed: rules are compiled, checked and tested without them."""

import subprocess
import sys

import pytest

from tests.tidy.check import ROOT

# Front ends and importers; only their own commands need them.
REMOVABLE = ("change", "contrast", "editor", "importing", "lab", "live", "table", "vassal", "workbench")
WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(tuple(f"rulewright.{each}" for each in sys.argv[1].split(","))):
            raise ImportError(f"{name} is taken away")

sys.meta_path.insert(0, Refuse())
from rulewright.cli import app
sys.exit(app.run(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("check", "low_tide"), 0),
        (("test", "low_tide"), 0),
        (("dump", "low_tide", "--stage", "core"), 0),
        (("diff", "low_tide", "two_clans"), 3),
    ],
    ids=["check", "test", "dump", "what needs one of them"],
)
def test_the_core_runs_without_removable_packages(command: tuple[str, ...], code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, ",".join(REMOVABLE), *command],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == code, done.stdout[-2000:] + done.stderr[-2000:]
    assert ("is taken away" in done.stdout + done.stderr) == bool(code)
