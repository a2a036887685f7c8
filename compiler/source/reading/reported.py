"""Read files of reported results."""

from compiler.source.nodes import Reported, ReportedGame, ValueMap
from compiler.source.reading.values import Reports, entry, items, maybe_word, number, text, word

MOST_GAMES = 1_000_000


def read_reported(document: ValueMap, reports: Reports) -> Reported:
    """Read `reported:`."""
    games = [each for each in items(entry(document, "games")) if isinstance(each, ValueMap)]
    found = tuple(_game(each) for each in games)
    for each in found:
        if not 0 < each.games <= MOST_GAMES:
            reports.shape(each.span, f"a number of games from 1 to {MOST_GAMES}", str(each.games))
    return Reported(document.span, word(entry(document, "reported")), found)


def _game(game: ValueMap) -> ReportedGame:
    return ReportedGame(
        game.span,
        word(entry(game, "rules")),
        word(entry(game, "won")),
        maybe_word(entry(game, "level")),
        number(entry(game, "games"), 1),
        text(entry(game, "date")),
        text(entry(game, "source")),
    )
