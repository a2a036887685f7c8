"""`rulewright scenarios`: list the cards."""

from pathlib import Path

from rich.console import Group
from rich.table import Table

from rulewright.cli.console import Reply


def scenarios(packages: list[Path]) -> Reply:
    """List the situation cards: their rules, sides, turns and units, and errors of broken ones."""
    from rulewright.cli.console import show_progress
    from rulewright.cli.findings import as_data, as_text, has_error
    from rulewright.library.card_library import list_cards

    with show_progress("reading cards", 0) as moved:
        listing = list_cards(packages, moved)
    table = Table(box=None, pad_edge=False)
    for heading in ("scenario", "title", "rules", "sides", "turns", "units", "waits for"):
        table.add_column(heading, justify="right" if heading in ("turns", "units") else "left")
    for card in listing.cards:
        table.add_row(
            card["name"], card["title"], card["stack"], ", ".join(card["sides"]), str(card["turns"]),
            str(card["units"]), "broken, see below" if card["broken"] else ", ".join(card["waits_for"]),
        )  # fmt: skip
    found = listing.diagnostics
    text = Group(table, "", as_text(found, listing.texts)) if found else table
    return Reply({"scenarios": listing.cards, **as_data(found)}, text, findings=has_error(found))
