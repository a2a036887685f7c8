"""The packages around the core can be removed: rules are compiled, checked and tested without them."""

import subprocess
import sys

from tests.tidy.check import ROOT

# Front ends and importers; only their own commands need them.
REMOVABLE = ("adapters", "change", "contrast", "editor", "exchange", "lab", "live", "table", "workbench")
WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(tuple(f"rulewright.{each}" for each in sys.argv[1].split(","))):
            raise ImportError(f"{name} is taken away")

sys.meta_path.insert(0, Refuse())
from rulewright.cli import app
for command in sys.argv[2:]:
    print(command, "ends with", int(app.run(command.split())))
"""


# Commands, one after the other in one process, and their exit codes.
CODES = {
    "check low_tide": 0,
    "test low_tide": 0,
    "dump low_tide --stage core": 0,
    "diff low_tide two_clans": 3,  # This one needs a package that is taken away.
}


def test_the_core_runs_without_removable_packages() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, ",".join(REMOVABLE), *CODES],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    ends = [lines.index(f"{command} ends with {code}") for command, code in CODES.items()]
    assert ends == sorted(ends), done.stdout[-2000:] + done.stderr[-2000:]
    assert "is taken away" not in "\n".join(lines[: ends[-2]])
    assert "is taken away" in "\n".join(lines[ends[-2] :]) + done.stderr
