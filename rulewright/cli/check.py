"""`rulewright check STACK`: compile and prove."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.console import Reply


def check(
    stack: Annotated[str, typer.Argument(metavar="STACK", help="game+option, or a folder.")], packages: list[Path]
) -> Reply:
    """Compile STACK and prove what can be proved of it: names, types, collisions, gaps, dead rules."""
    from rulewright.cli.findings import reply_with
    from rulewright.stacks import load_stack

    loaded = load_stack(stack, packages)
    return reply_with(loaded.diagnostics, loaded.library.texts)
