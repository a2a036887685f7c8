"""`rulewright check STACK`: compile and prove."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.console import Reply


def check(
    stack: Annotated[str, typer.Argument(metavar="STACK", help="game+option, or a folder.")], packages: list[Path]
) -> Reply:
    """Compile STACK and prove what can be proved of it: names, types, collisions, gaps, dead rules."""
    from rulewright.cli.findings import as_data, as_text, stops
    from rulewright.stacks import load_stack

    loaded = load_stack(stack, packages)
    found = loaded.diagnostics
    return Reply(as_data(found), as_text(found, loaded.library.texts), findings=stops(found))
