"""`python3 -m rulewright.bootstrap EXTRA..`: set up the environment with extras, and print the Python to use.

For `.ci/run`, and for users whom a message tells to install an extra.
"""

import sys

from rulewright.system.environment import SetupError, find_interpreter, write_message

if __name__ == "__main__":
    try:
        sys.stdout.write(f"{find_interpreter(*sys.argv[1:])}\n")
    except SetupError as failure:
        write_message(str(failure))
        sys.exit(2)
