"""`rulewright errata STACK`: what answers and corrections change for players, by date."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import reply_block, row_lines
from runtime.graph.records.books import ErrataRecord, ErratumRecord
from runtime.graph.words import counted_noun


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
    return Reply(errata_of(stack, load_stack(stack, packages).rules, since), _errata_block)


def _errata_block(record: ErrataRecord) -> DocumentBlock:
    """Show the errata of each date, and how many there are."""
    dates = [
        reply_block(title=dated["written"], blocks=map(_erratum_block, dated["errata"])) for dated in record["dates"]
    ]
    count, without = sum(len(dated["errata"]) for dated in record["dates"]), record["without"]
    after = f" since {record['since']}" if record["since"] else ""
    total = f"{count or 'no'} errat{'a' if count != 1 else 'um'} in {record['stack']}{after}"
    if record["undated"]:
        total += f"; {record['undated']} without a date left out"
    if without and not after:
        verb = "changes" if without == 1 else "change"
        total += f"; {counted_noun(without, 'further answer')} {verb} nothing for players"
    return reply_block(blocks=[*dates, reply_block(total)])


def _erratum_block(erratum: ErratumRecord) -> DocumentBlock:
    """Show what is asked, what was and what holds now, and which rules carry it out."""
    before = [("before", f"{rule['text']}  ({rule['number'] or rule['label']})") for rule in erratum["before"]]
    now = f"{erratum['now']}  [{', '.join(erratum['cites'])}]"
    current_rules = ", ".join(rule["number"] or rule["label"] for rule in erratum["current_rules"])
    lines = row_lines([("asked", erratum["asks"]), *before, ("now", now), ("in", current_rules)])
    impact = "" if erratum["impact"] in ("", "none") else f"{erratum['impact']} impact"
    title = f"{erratum['number']} {erratum['title']}".strip()
    return reply_block(*lines, title=title, tags=((erratum["kind"], "kind"), (impact, "impact")))
