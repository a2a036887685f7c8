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
    from rulewright.books import write_reference
    from rulewright.cli.findings import refusal, reply_with
    from rulewright.partings import hold_against
    from rulewright.stacks import named_stack, open_shelves

    name, folders = named_stack(stack)
    base, other = named_stack(against) if against else ("", [])
    shelves = open_shelves((*packages, *folders, *other))
    shelves.know(name)
    loaded = shelves.compiled(name)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    before = None
    if base:
        shelves.know(base)
        before = shelves.compiled(base)
        if before.broken or before.graph is None:
            return refusal(before)
    against_ = hold_against(loaded.graph, before.graph) if before and before.graph else None
    written = write_reference(shelves, loaded, against_, out)
    if written.owed:
        return reply_with(written.owed, loaded.texts)
    data = written.data
    return Reply(data, f"{data['pages']} pages, {data['anchors']} anchors; begin with {out / 'index.html'}")
