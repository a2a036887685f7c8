"""`rulewright tree STACK [TERM]`: a question and the rules that answer it; or which questions there are."""

from pathlib import Path
from typing import Annotated

import typer

from compiler.report.bounded import truncated_text
from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock, DocumentLine
from runtime.graph.document_lines import LineText, headed_line, listing, reply_block
from runtime.graph.records.asking import BranchRecord, QuestionsRecord, QuestionTreeRecord


def tree(
    stack: StackName,
    packages: list[Path],
    term: Annotated[
        str, typer.Argument(metavar="TERM", help="A question, such as `entry_cost`, or a word to search for.")
    ] = "",
) -> Reply[QuestionsRecord] | Reply[QuestionTreeRecord]:
    """List the rules of a question, exceptions under what they defeat.

    Without TERM it lists all questions; with a word that is no question, those that contain the word.

    Example: rulewright tree low_tide cost
    """
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
        record: QuestionsRecord = {"questions": found}
        return Reply(record, _questions_block)
    if term not in rules.terms:
        rule = rules.rules.get(term)
        hint = f"did you mean a question that this rule speaks on: {', '.join(rule.terms)}?" if rule else ""
        if not hint and named_pages(rules, term):
            hint = f"`rulewright explain {stack} {term}` says what it is"
        raise UsageError(f"`{stack}` has no term `{term}`; {hint or suggestion_text(term, sorted(rules.terms))}")
    return Reply(term_tree(rules, term), _tree_block)


def _questions_block(record: QuestionsRecord) -> DocumentBlock:
    """Show each question with how it is read."""
    return reply_block(
        *(headed_line(question["signature"], f"  {question['reads']}".rstrip()) for question in record["questions"])
    )


def _tree_block(record: QuestionTreeRecord) -> DocumentBlock:
    """Show a question, its stages and its rules, exceptions under what they defeat."""
    head = truncated_text(f"{record['form']} {record['signature']}  {record['reads']}".rstrip())
    stages = [
        listing(headed_line(f"stage {stage['term'].rpartition('.')[2]}"), _rule_lines(stage))
        for stage in record["stages"]
    ]
    return reply_block(listing(headed_line(head), [*stages, *_rule_lines(record)]))


def _rule_lines(record: QuestionTreeRecord) -> list[LineText]:
    """Return the rules of a question, and its default."""
    default = [f"otherwise {record['default']}"] if record["default"] else []
    return [*map(_branch_line, record["rules"]), *default]


def _branch_line(rule: BranchRecord) -> DocumentLine:
    """Return a rule with its exceptions."""
    cites = f" [{', '.join(rule['cites'])}]" if rule["cites"] else ""
    says = rule["says"] or "defeats the rule above"
    when = f" when {rule['when']}" if rule["when"] else ""
    head = headed_line(rule["rule"], f"{cites}  {rule['layer']}")
    return listing(head, [says + when, *map(_branch_line, rule["exceptions"])])
