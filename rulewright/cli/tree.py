"""`rulewright tree STACK TERM`: a question and the rules that answer it, exceptions under what they defeat."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from rich.tree import Tree

from rulewright.cli.arguments import StackName
from rulewright.cli.console import Reply


def tree(
    stack: StackName,
    term: Annotated[str, typer.Argument(metavar="TERM", help="The question, such as `entry_cost`.")],
    packages: list[Path],
) -> Reply:
    """Show the rules that answer TERM, each exception under the rules it defeats."""
    from rulewright.cli.findings import refusal
    from rulewright.errors import UsageError, advice
    from rulewright.named import named_page
    from rulewright.stacks import load_stack
    from rulewright.trees import term_tree

    loaded = load_stack(stack, packages)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    if term not in loaded.graph.terms:
        rule = loaded.graph.rules.get(term)
        hint = f"did you mean a question that this rule speaks on: {', '.join(rule.terms)}?" if rule else ""
        if not hint and named_page(loaded.graph, term):
            hint = f"`rulewright explain {stack} {term}` says what it is"
        raise UsageError(f"`{stack}` has no term `{term}`; {hint or advice(term, sorted(loaded.graph.terms))}")
    data = term_tree(loaded.graph, term)
    drawn = Tree(Text(f"{data['form']} {data['signature']}  {data['reads']}".rstrip(), "bold"))
    _grow(drawn, data["rules"])
    if data["default"]:
        drawn.add(Text(f"otherwise {data['default']}"))
    return Reply(data, drawn)


def _grow(branch: Tree, rules: list[dict[str, Any]]) -> None:
    """Hang rules, and under each its exceptions, on a branch."""
    for rule in rules:
        cites = f" [{', '.join(rule['cites'])}]" if rule["cites"] else ""
        said = Text.assemble((rule["rule"], "bold"), f"{cites}  {rule['layer']}")
        said.append(
            f"\n{rule['says'] or 'defeats what stands above'}" + (f" when {rule['when']}" if rule["when"] else "")
        )
        _grow(branch.add(said), rule["exceptions"])
