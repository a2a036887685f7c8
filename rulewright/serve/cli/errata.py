"""`rulewright errata STACK`: what answers and corrections change for players, by date."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from runtime.graph.records.books import ErrataRecord


def errata(
    stack: StackName,
    packages: list[Path],
    since: Annotated[
        str, typer.Option(metavar="DATE", help="List only those of this year, month or day, or later: 2014-06.")
    ] = "",
) -> Reply[ErrataRecord]:
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
    record, block = errata_of(stack, load_stack(stack, packages).rules, since)
    return Reply(record, lambda _: block)
