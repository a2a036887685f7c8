"""`rulewright tree STACK [TERM]`: a question and the rules that answer it; or which questions there are."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply

# The most printed rules: the largest question of the games has 20.
MOST_PRINTED_RULES = 100


def tree(
    stack: StackName,
    packages: list[Path],
    term: Annotated[
        str, typer.Argument(metavar="TERM", help="A question, such as `entry_cost`, or a word to search for.")
    ] = "",
) -> Reply:
    """List the rules of a question, exceptions under what they defeat.

    Without TERM it lists all questions; with a word that is no question, those that contain the word.

    Example: rulewright tree low_tide cost
    """
    from compiler.report.bounded import truncated_text
    from rulewright.explain.views.name_pages import named_pages
    from rulewright.explain.views.trees import list_questions, term_tree
    from rulewright.library.stacks import load_stack
    from rulewright.system.errors import UsageError, suggestion_text

    rules = load_stack(stack, packages).rules
    if not rules.terms:
        raise UsageError(f"`{stack}` declares no questions")
    known = term in rules.rules or named_pages(rules, term)
    found = list_questions(rules, term) or ([] if known else list_questions(rules, term, by_rules=True))
    if term not in rules.terms and found:
        lines = [
            Text.assemble((question["signature"], "bold"), f"  {question['reads']}".rstrip()) for question in found
        ]
        return Reply({"questions": found}, Group(*lines))
    if term not in rules.terms:
        rule = rules.rules.get(term)
        hint = f"did you mean a question that this rule speaks on: {', '.join(rule.terms)}?" if rule else ""
        if not hint and named_pages(rules, term):
            hint = f"`rulewright explain {stack} {term}` says what it is"
        raise UsageError(f"`{stack}` has no term `{term}`; {hint or suggestion_text(term, sorted(rules.terms))}")
    data = term_tree(rules, term)
    rule_tree = Tree(Text(truncated_text(f"{data['form']} {data['signature']}  {data['reads']}".rstrip()), "bold"))
    for stage in data["stages"]:
        _hang(rule_tree.add(Text(f"stage {stage['term'].rpartition('.')[2]}", "bold")), stage)
    _hang(rule_tree, data)
    return Reply(data, rule_tree)


def _hang(branch: Tree, term: dict[str, Any]) -> None:
    """Add the rules of a term to a branch, with its default."""
    if (more := _grow(branch, term["rules"], MOST_PRINTED_RULES)) < 0:
        branch.add(Text(f"and {-more} more: `--format json` lists all of them"))
    if term["default"]:
        branch.add(Text(f"otherwise {term['default']}"))


def _grow(branch: Tree, rules: list[dict[str, Any]], left: int) -> int:
    """Add at most `left` rules with exceptions to a branch; return the rest, or minus the number of omitted rules."""
    for rule in rules:
        left -= 1
        if left < 0:
            left = _grow(branch, rule["exceptions"], left)
            continue
        cites = f" [{', '.join(rule['cites'])}]" if rule["cites"] else ""
        rule_text = Text.assemble((rule["rule"], "bold"), f"{cites}  {rule['layer']}")
        rule_text.append(
            f"\n{rule['says'] or 'defeats what stands above'}" + (f" when {rule['when']}" if rule["when"] else "")
        )
        left = _grow(branch.add(rule_text), rule["exceptions"], left)
    return left
