"""Player names of the command line; `lookahead:1000`, `search:50` and `search:2s` contain budgets."""

from collections.abc import Callable, Mapping

from runtime.players.aims.greedy_player import greedy_player
from runtime.players.lookahead import BUDGET, lookahead_player
from runtime.players.macro_search import DEFAULT_BUDGET, search_player
from runtime.players.player import Player, uniform_option
from runtime.players.thinking_budget import LEAST_SECONDS, MOST_SECONDS, ClockFunction, ThinkingBudget, parsed_budget

LOOKAHEAD, SEARCH = "lookahead", "search"
# The greatest budgets; a decision with more would take too long.
LARGEST_BUDGETS: Mapping[str, int] = {LOOKAHEAD: 100_000, SEARCH: 10_000}
# The planning players: factory by budget, and default budget.
THINKING: Mapping[str, tuple[Callable[[ThinkingBudget, ClockFunction | None], Player], ThinkingBudget]] = {
    LOOKAHEAD: (lambda budget, _: lookahead_player(int(budget.amount)), ThinkingBudget(BUDGET)),
    SEARCH: (search_player, DEFAULT_BUDGET),
}
PLAYERS: Mapping[str, Player] = {
    "random": uniform_option,
    "greedy": greedy_player(),
    **{name: make(budget, None) for name, (make, budget) in THINKING.items()},
}


def player_named(name: str, clock: ClockFunction | None = None) -> Player:
    """Return a player by name; raises KeyError for an unknown name or budget, or one in seconds without a clock."""
    if ":" not in name:
        return PLAYERS[name]
    found = budget_of(name)
    if found is None or (found[1].in_seconds and clock is None):
        raise KeyError(name)
    kind, budget = found
    return THINKING[kind][0](budget, clock)


def budgets_of(name: str) -> str:
    """Return the message about the admitted budgets of a player; "" for one without a budget."""
    kind, separator, _ = name.partition(":")
    if not separator or kind not in THINKING:
        return ""
    seconds = f", or of {LEAST_SECONDS}s to {MOST_SECONDS}s" if kind == SEARCH else ""
    return f"`{kind}` takes a budget of 1 to {LARGEST_BUDGETS[kind]:,}{seconds}"


def budget_of(name: str) -> tuple[str, ThinkingBudget] | None:
    """Return the kind and budget of a planning player by name; None for one without a budget, or with a wrong one."""
    kind, separator, text = name.partition(":")
    if kind not in THINKING:
        return None
    if not separator:
        return kind, THINKING[kind][1]
    budget = parsed_budget(text, LARGEST_BUDGETS[kind], admits_seconds=kind == SEARCH)
    return (kind, budget) if budget else None
