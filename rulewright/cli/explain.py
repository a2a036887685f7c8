"""`rulewright explain R0312`: the page of a code; `explain STACK one-hex-minimum`: a paragraph of the rules."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.console import Reply


def explain(
    what: Annotated[str, typer.Argument(metavar="CODE|STACK", help="R0312, or the stack that a label is in.")],
    packages: list[Path],
    label: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A label such as open-ground; or a question, chart, procedure, status or item of a source.",
        ),
    ] = None,
    on: Annotated[
        str | None, typer.Option("--on", metavar="STACK", help="The stack, if only the label is given.")
    ] = None,
) -> Reply:
    """Explain what a code of `check` means, or what anything with a name is in a stack, and what rests on it."""
    from rulewright.cli.findings import refusal
    from rulewright.errors import UsageError
    from rulewright.library.stacks import load_stack
    from rulewright.views.pages import as_text, code_page, is_code, law_page

    if on is not None and label is not None:
        raise UsageError("name the stack once: `explain STACK LABEL`")
    stack, label = (on, what) if on is not None else (what, label)
    if label is None:
        page = code_page(what, packages)
        return Reply({"code": what.upper(), "page": page}, page)
    if is_code(stack):
        raise UsageError(f"`{stack}` is a code and stands alone: `explain {stack}`")
    loaded = load_stack(stack, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    data = law_page(loaded, label)
    return Reply(data, as_text(data))
