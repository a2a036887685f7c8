"""`rulewright reference STACK --out DIR`: write the rulebook."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.arguments import Out, StackName
from rulewright.cli.console import Reply


def reference(
    stack: StackName,
    out: Out,
    packages: list[Path],
    against: Annotated[
        str | None, typer.Option("--against", metavar="STACK", help="Also tell what changed since this one.")
    ] = None,
) -> Reply:
    """Write the rulebook of STACK as web pages that need no server."""
    from rulewright.books import write_site
    from rulewright.cli.findings import refusal
    from rulewright.stacks import load_stack

    loaded = load_stack(stack, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    before = load_stack(against, packages) if against else None
    if before and (before.broken or before.graph is None):
        return refusal(before)
    data = write_site(loaded.graph, before.graph if before else None, out)
    return Reply(data, f"{data['pages']} pages, {data['anchors']} anchors; begin with {out / 'index.html'}")
