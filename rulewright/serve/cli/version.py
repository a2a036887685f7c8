"""`rulewright version`: the facts for a bug report."""

import platform

from rulewright import __version__
from rulewright.serve.cli.console import Reply


def version() -> Reply:
    """Show the versions of Rulewright and Python, and where the rules are.

    Example: rulewright version
    """
    from rulewright.library.shipped_folders import rules_folder

    facts = {"rulewright": __version__, "python": platform.python_version(), "rules": str(rules_folder())}
    return Reply(data=facts, text="\n".join(f"{name:<10}  {fact}" for name, fact in facts.items()))
