"""`python3 -m tests [PYTEST ARGUMENTS]`: create the environment, then run pytest.

By default the tests marked `long` are left out, except a sample (sample.py). `--all` runs them too; `--long K/N` runs
only part K of N of them (conftest.py).
"""

import argparse
import sys
from pathlib import Path

if sys.version_info < (3, 11):
    sys.stderr.write("rulewright needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + "\n")
    sys.exit(2)

from rulewright.system.environment import enter_environment

enter_environment("tests", "test")

import pytest  # noqa: E402 -- there only from here on

# Without named files pytest uses all cores; named files run in one process, so that their output stays in order.
whole_runs = argparse.ArgumentParser("python3 -m tests", add_help=False, allow_abbrev=False)
whole_runs.add_argument("--all", action="store_true")
whole_runs.add_argument("--long", metavar="K/N")
names_files = any(Path(each.partition("::")[0]).exists() for each in whole_runs.parse_known_args()[1])
sys.exit(pytest.main([*sys.argv[1:], *(() if names_files else ("-n", "auto", "--dist", "worksteal"))]))
