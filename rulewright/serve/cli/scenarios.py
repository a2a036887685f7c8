"""`rulewright scenarios`: list the cards."""

from pathlib import Path

from rich.console import Group
from rich.table import Table

from rulewright.serve.cli.console import Reply


def scenarios(packages: list[Path]) -> Reply:
    """List the situation cards: their rules, sides, turns and units.

    The cards are listed as they are written; one that cannot be read has its first error below the list. `check` finds
    what else is wrong with a card. A card that waits for boards can be played when `--path` names a folder with them.

    Example: rulewright scenarios
    """
    from rulewright.library.package_index import list_packages

    rows = list_packages(packages).card_rows()
    table = Table(box=None, pad_edge=False)
    for heading in ("scenario", "title", "rules", "sides", "turns", "units", "waits for"):
        table.add_column(heading, justify="right" if heading in ("turns", "units") else "left")
    for row in rows:
        table.add_row(
            row["name"], row["title"], row["stack"], ", ".join(row["sides"]), str(row["turns"]), str(row["units"]),
            "unread, see below" if row["broken"] else ", ".join(row["waits_for"]),
        )  # fmt: skip
    errors = [row["error"] for row in rows if row["broken"]]
    text = Group(table, "", *errors) if errors else table
    return Reply({"scenarios": rows}, text, findings=bool(errors))
