"""The players one can name on the command line; `lookahead:1000` is given its budget."""

from collections.abc import Mapping

from runtime.players.greedy import greedy
from runtime.players.lookahead import BUDGET, looking_ahead
from runtime.players.player import Player
from runtime.players.uniform import uniform

LOOKAHEAD = "lookahead"
PLAYERS: Mapping[str, Player] = {"random": uniform, "greedy": greedy, LOOKAHEAD: looking_ahead()}


def player_named(name: str) -> Player:
    """Find a player by name; KeyError if there is none."""
    kind, given, budget = name.partition(":")
    if not given:
        return PLAYERS[name]
    if kind != LOOKAHEAD or not budget.isdecimal() or int(budget) == 0:
        raise KeyError(name)
    return looking_ahead(int(budget))


def budget_of(name: str) -> int:
    """Give the budget of a player that looks ahead, by its name."""
    _, given, budget = name.partition(":")
    return int(budget) if given else BUDGET
