"""`rulewright explain R0312`: the page of a code; `explain STACK one-hex-minimum`: a paragraph of the rules."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.console import Reply


def explain(
    what: Annotated[str, typer.Argument(metavar="CODE|STACK", help="R0312, or the stack that a label is in.")],
    packages: list[Path],
    label: Annotated[
        str | None, typer.Argument(metavar="[LABEL]", help="Of a rule, ruling, dispute or case, such as open-ground.")
    ] = None,
    on: Annotated[
        str | None, typer.Option("--on", metavar="STACK", help="The stack, if only the label is given.")
    ] = None,
) -> Reply:
    """Explain what a code of `check` means, or what a paragraph of a stack says, defeats and rests on."""
    from rulewright.cli.findings import refusal
    from rulewright.errors import UsageError
    from rulewright.pages import as_text, code_page, law_page
    from rulewright.stacks import load_stack

    if on is not None and label is not None:
        raise UsageError("name the stack once: `explain STACK LABEL`")
    stack, label = (on, what) if on is not None else (what, label)
    if label is None:
        page = code_page(what)
        return Reply({"code": what.upper(), "page": page}, page)
    loaded = load_stack(stack, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    data = law_page(loaded, label)
    return Reply(data, as_text(data))
