"""`rulewright scenarios`: list the cards."""

from pathlib import Path

from rich.table import Table

from rulewright.cli.console import Reply


def scenarios(packages: list[Path]) -> Reply:
    """List the situation cards: their rules, sides, turns and units."""
    from rulewright.cli.findings import reply_with
    from rulewright.games import list_scenarios

    cards, diagnostics, texts = list_scenarios(packages)
    if diagnostics:
        return reply_with(diagnostics, texts)
    table = Table(box=None, pad_edge=False)
    for heading in ("scenario", "title", "rules", "sides", "turns", "units", "waits for"):
        table.add_column(heading, justify="right" if heading in ("turns", "units") else "left")
    for card in cards:
        table.add_row(
            card["name"], card["title"], card["stack"], ", ".join(card["sides"]), str(card["turns"]),
            str(card["units"]), ", ".join(card["waits_for"]),
        )  # fmt: skip
    return Reply({"scenarios": cards}, table)
