"""Read files of reported results."""

from compiler.source.nodes import Reported, ReportedGame, ValueMap
from compiler.source.reading.values import (
    DocumentProblems,
    entry_value,
    optional_word,
    read_items,
    read_number,
    read_text,
    read_word,
)

MOST_GAMES = 1_000_000


def read_reported(document: ValueMap, reports: DocumentProblems) -> Reported:
    """Read `reported:`."""
    games = [each for each in read_items(entry_value(document, "games")) if isinstance(each, ValueMap)]
    found = tuple(_game(each) for each in games)
    for each in found:
        if not 0 < each.games <= MOST_GAMES:
            reports.report_shape(each.span, f"a number of games from 1 to {MOST_GAMES}", str(each.games))
    return Reported(document.span, read_word(entry_value(document, "reported")), found)


def _game(game: ValueMap) -> ReportedGame:
    return ReportedGame(
        game.span,
        read_word(entry_value(game, "rules")),
        read_word(entry_value(game, "won")),
        optional_word(entry_value(game, "level")),
        read_number(entry_value(game, "games"), 1),
        read_text(entry_value(game, "date")),
        read_text(entry_value(game, "source")),
    )
