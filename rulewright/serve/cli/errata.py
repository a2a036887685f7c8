"""`rulewright errata STACK`: what answers and corrections change for players, by date."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply


def errata(
    stack: StackName,
    packages: list[Path],
    since: Annotated[
        str, typer.Option(metavar="DATE", help="List only those of this year, month or day, or later: 2014-06.")
    ] = "",
) -> Reply:
    """List what official answers and corrections change, by date.

    The newest come first; those that change nothing for players are left out.

    Example: rulewright errata panzer_leader --since 2014-06
    """
    from rulewright.explain.views.dated_errata import errata_of
    from rulewright.library.editions import is_date
    from rulewright.library.stacks import load_stack
    from rulewright.system.errors import UsageError

    if since and not is_date(since):
        raise UsageError(f"`{since}` is no date; write 2014, 2014-06 or 2014-06-30")
    data = errata_of(stack, load_stack(stack, packages).rules, since)
    return Reply(data, _describe_errata(data))


def _describe_errata(data: dict[str, Any]) -> Text:
    """Format errata as text."""
    text = Text()
    for group in data["dates"]:
        text.append(f"{group['written']}\n", "bold underline")
        for erratum in group["errata"]:
            impact = f", {erratum['impact']} impact" if erratum["impact"] not in ("", "none") else ""
            text.append(f"{erratum['number']} {erratum['title']}".strip(), "bold").append(
                f"  {erratum['kind']}{impact}\n"
            )
            if erratum["asks"]:
                text.append(f"  asked   {erratum['asks']}\n")
            for before in erratum["before"]:
                text.append(f"  before  {before['text']}  ({before['number'] or before['label']})\n")
            text.append(f"  now     {erratum['now']}  [{', '.join(erratum['cites'])}]\n")
            if erratum["current_rules"]:
                text.append(
                    f"  in      {', '.join(rule['number'] or rule['label'] for rule in erratum['current_rules'])}\n"
                )
        text.append("\n")
    count, without = sum(len(group["errata"]) for group in data["dates"]), data["without"]
    after = f" since {data['since']}" if data["since"] else ""
    text.append(f"{count or 'no'} errat{'a' if count != 1 else 'um'} in {data['stack']}{after}")
    if data["undated"]:
        text.append(f"; {data['undated']} without a date left out")
    more = f"{without} answer{'s' if without > 1 else ''} more change{'s' if without == 1 else ''} nothing for players"
    return text.append(f"; {more}" if without and not after else "")
