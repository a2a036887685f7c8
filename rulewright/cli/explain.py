"""`rulewright explain R0312`: the page of a code; `explain one-hex-minimum --on STACK`: a rule."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.console import Reply


def explain(
    what: Annotated[str, typer.Argument(metavar="CODE|LABEL", help="R0312, or with --on the label of a rule.")],
    packages: list[Path],
    on: Annotated[str | None, typer.Option("--on", metavar="STACK", help="The stack that the rule is in.")] = None,
) -> Reply:
    """Explain what a code of `check` means, or what a rule of a stack says."""
    from rulewright.cli.findings import refusal
    from rulewright.errors import UsageError, advice
    from rulewright.pages import code_page, rule_page
    from rulewright.stacks import load_stack

    if on is None:
        page = code_page(what)
        return Reply({"code": what.upper(), "page": page}, page)
    loaded = load_stack(on, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    if what not in loaded.graph.rules:
        raise UsageError(f"`{on}` has no rule `{what}`; {advice(what, sorted(loaded.graph.rules))}")
    data = rule_page(loaded.graph, what)
    return Reply(data, "\n".join(f"{name}: {text}" for name, text in data.items() if text))
