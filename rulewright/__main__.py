"""`python3 -m rulewright COMMAND`: set up the environment at the first call, then run the command line."""

import signal
import sys

if sys.version_info < (3, 11):
    sys.stderr.write("rulewright needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + "\n")
    sys.exit(2)

# Until `main` handles Ctrl-C, it ends the process: a traceback of the modules that are being imported says nothing.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from rulewright.system.environment import enter_environment

enter_environment("rulewright")

from rulewright.serve.cli.app import main  # noqa: E402 -- typer is there only from here on

main()
