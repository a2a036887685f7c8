"""`rulewright check STACK`: compile and prove."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compiler.analysis.budgets import MOST_STEPS
from rulewright.cli.arguments import StackName
from rulewright.cli.console import Reply
from rulewright.errors import UsageError

if TYPE_CHECKING:
    from rulewright.checking import CheckReport


def check(
    stack: StackName,
    packages: list[Path],
    witnesses: Annotated[
        Path | None, typer.Option("--witnesses", metavar="DIR", help="Where to save positions that prove findings.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if there are warnings, too.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="One line a finding, as compilers print them.")] = False,
    steps: Annotated[
        int,
        typer.Option(
            "--steps", metavar="N", min=1, help="How many steps the proofs of one question or place may take."
        ),
    ] = MOST_STEPS,
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="REV",
            help="Compare sentences and laws with this git revision; else with the last commit.",
        ),
    ] = "",
    alone: Annotated[bool, typer.Option("--alone", help="Compare with no revision.")] = False,
) -> Reply:
    """Compile STACK and the cards for it or changed by it, and prove what can be: names, types, collisions, gaps.

    The stacks that examples of its layers name are compiled too, so that `test` can run them. Where git keeps the
    rules, it tells which sentence has changed since the last commit and its law has not, or the other way round.
    """
    from compiler.report.render.line import line
    from rulewright.checking import checked, checked_since
    from rulewright.cli.findings import as_data, as_text, stops, summary
    from rulewright.proofs import skipped_checks

    if alone and since:
        raise UsageError("`--since` and `--alone` exclude each other")
    made = (
        checked(stack, packages, steps, witnesses) if alone else checked_since(stack, packages, steps, witnesses, since)
    )
    found, skipped = made.found, skipped_checks(made.left)
    failed = stops(found) or (strict and bool(found))
    data = as_data(found) | {"skipped": [{"check": each.check, "why": each.why} for each in skipped]}
    data["compared"] = made.compared and made.compared.data()
    data["cards"] = made.cards.data()
    if lines:
        return Reply(data, "\n".join(line(each) for each in found), findings=failed)
    told = (*(f"skipped: {each.check}: {each.why}" for each in skipped), made.cards.told())
    counted = "\n".join((summary(found), *filter(None, told)))
    if made.compared and (since or made.compared.differs):
        counted = f"{counted}\n{made.compared.told()}"
    return Reply(data, as_text(found, made.texts, _last(counted, made)), findings=failed)


def _last(counted: str, made: "CheckReport") -> str:
    """Count findings, and what the sources leave open: that is no fault of the rules, but nobody should overlook it."""
    if not made.settled:
        return counted
    said = f"{made.settled} contradiction{'s' if made.settled > 1 else ''} of the sources settled by choice"
    return f"{counted}\n{said}: `disputes {made.stack}` lists them"
