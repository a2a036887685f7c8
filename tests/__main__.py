"""`python3 -m tests [PYTEST ARGUMENTS]`: set everything up once, then run pytest."""

import sys

if sys.version_info < (3, 11):
    sys.stderr.write("rulewright needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + "\n")
    sys.exit(2)

from rulewright.bootstrap import enter

enter("tests", "test")

import pytest  # noqa: E402 -- there only from here on

# All of them, on all cores; what is named runs in one process, where its output is easier to follow.
sys.exit(pytest.main(sys.argv[1:] or ["-n", "auto", "--dist", "worksteal"]))
