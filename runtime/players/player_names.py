"""Player names of the command line; `lookahead:1000` and `search:50` contain budgets."""

from collections.abc import Callable, Mapping

from runtime.players.greedy import greedy_option
from runtime.players.lookahead import BUDGET, lookahead_player
from runtime.players.macro_search import GAMES_PER_ACTION, search_player
from runtime.players.player import Player, uniform_option

LOOKAHEAD, SEARCH = "lookahead", "search"
# The greatest budgets; a decision with more would take too long.
LARGEST_BUDGETS: Mapping[str, int] = {LOOKAHEAD: 100_000, SEARCH: 10_000}
# The planning players: factory by budget, and default budget.
THINKING: Mapping[str, tuple[Callable[[int], Player], int]] = {
    LOOKAHEAD: (lookahead_player, BUDGET),
    SEARCH: (search_player, GAMES_PER_ACTION),
}
PLAYERS: Mapping[str, Player] = {
    "random": uniform_option,
    "greedy": greedy_option,
    **{name: make(budget) for name, (make, budget) in THINKING.items()},
}


def player_named(name: str) -> Player:
    """Return a player by name; raises KeyError for an unknown name or budget."""
    kind, separator, budget = name.partition(":")
    if not separator:
        return PLAYERS[name]
    if kind not in THINKING or not (
        budget.isdecimal() and budget.isascii() and len(budget) <= len(str(LARGEST_BUDGETS[kind]))
    ):
        raise KeyError(name)
    if not 0 < int(budget) <= LARGEST_BUDGETS[kind]:
        raise KeyError(name)
    return THINKING[kind][0](int(budget))


def budgets_of(name: str) -> str:
    """Return the message about the admitted budgets of a player; "" for one without a budget."""
    kind, separator, _ = name.partition(":")
    return f"`{kind}` takes a budget of 1 to {LARGEST_BUDGETS[kind]:,}" if separator and kind in THINKING else ""


def budget_of(name: str) -> tuple[str, int] | None:
    """Return the kind and budget of a planning player by name; None for one without a budget."""
    kind, separator, budget = name.partition(":")
    if kind not in THINKING:
        return None
    return kind, int(budget) if separator else THINKING[kind][1]
