"""`python3 -m bench [--quick] [--json] [--write] [--only SECTION]`: set everything up once, then measure.

The engines that Rulewright is held against come along where they can be installed; those that cannot are left out.
"""

import sys

if sys.version_info < (3, 11):
    sys.stderr.write("rulewright needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + "\n")
    sys.exit(2)

from rulewright.system.environment import enter_environment

enter_environment("bench", "batch", optional="bench")

from bench.measuring import main  # noqa: E402 -- numpy is there only from here on

sys.exit(main())
