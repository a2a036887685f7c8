"""`python3 -m rulewright COMMAND`: set up the environment at the first call, then run the command line."""

import sys

if sys.version_info < (3, 11):
    sys.stderr.write("rulewright needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + "\n")
    sys.exit(2)

from rulewright.bootstrap import enter_environment

enter_environment("rulewright")

from rulewright.cli.app import main  # noqa: E402 -- typer is there only from here on

main()
