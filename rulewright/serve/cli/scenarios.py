"""`rulewright scenarios`: list the cards."""

from pathlib import Path

from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import reply_block, table_lines
from runtime.graph.records.packages import ScenariosRecord


def scenarios(packages: list[Path]) -> Reply[ScenariosRecord]:
    """List the situations: their rules, sides, turns and units.

    They are listed as they are written; one that cannot be read has its first error below the list. `check` finds what
    else is wrong with one. A situation that waits for boards can be played when `--path` names a folder with them.

    Example: rulewright scenarios
    """
    from rulewright.library.package_index import list_packages

    rows = list_packages(packages).card_rows()
    return Reply({"scenarios": rows}, _scenarios_block, findings=any(row["broken"] for row in rows))


def _scenarios_block(record: ScenariosRecord) -> DocumentBlock:
    """Show a row for each card, and below the table the errors of those that cannot be read."""
    rows, errors = [], []
    for card in record["scenarios"]:
        missing = "unread, see below" if card["broken"] else ", ".join(card["waits_for"])
        sides, turns, units = ", ".join(card["sides"]), str(card["turns"]), str(card["units"])
        rows.append((card["name"], card["title"], card["stack"], sides, turns, units, missing))
        if card["broken"]:
            errors.append(card["error"])
    headings = ("situation", "title", "rules", "sides", "turns", "units", "waits for")
    return reply_block(*table_lines(headings, rows), blocks=[reply_block(*errors)] if errors else [])
