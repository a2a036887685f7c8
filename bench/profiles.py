"""Where the time of play goes, by package."""

import cProfile
import pstats
from collections import Counter
from collections.abc import Iterator

from bench.finding import Finding
from bench.playing import play, situation
from rulewright.games.scenarios import game_of

SECTION = "where the time of play goes"
SITUATION = "old_millbrook"
GAMES = 3

# By what the path of a function's file holds; generated functions are called after their stack.
PARTS = (
    ("generated code", "<"),
    ("searching for legal completions", "play/completion_search"),
    ("searching for legal completions", "play/head"),
    ("listing choices", "play/choices"),
    ("listing choices", "play/choosing"),
    ("keeping answers", "state/answers"),
    ("telling alike pieces", "play/symmetry"),
    ("running procedures", "runtime/play"),
    ("changing the position", "runtime/state"),
    ("the map", "runtime/board"),
    ("the player", "runtime/players"),
)
ELSE = "everything else"


def profile(player: str) -> Iterator[Finding]:
    """Profile a few games; built-in functions count where they are called from most."""
    game = game_of(situation(SITUATION))
    for number in range(GAMES):
        play(game, game.start(f"warm {number}"), player, f"warm {number}")
    profiler = cProfile.Profile()
    profiler.enable()
    for number in range(GAMES):
        play(game, game.start(f"profile {number}"), player, f"profile {number}")
    profiler.disable()
    shares = by_part(pstats.Stats(profiler))
    total = sum(shares.values())
    for part, spent in shares.most_common():
        yield Finding(SECTION, f"{player}: {part}", "share", spent / total)


def by_part(stats: pstats.Stats) -> Counter[str]:
    """Add up the time spent in each part itself."""
    shares: Counter[str] = Counter()
    for (file, _, name), (_, _, own_time, _, callers) in stats.stats.items():  # type: ignore[attr-defined]  # not in the stubs
        if file != "~":
            shares[part_of(file)] += own_time
            continue
        # A built-in: share its time among its callers as they called it.
        if name.startswith("<built-in method builtins.exec"):
            continue
        for (caller, _, _), (_, _, spent, _) in callers.items():
            shares[part_of(caller)] += spent
    return shares


def part_of(file: str) -> str:
    """Return the part that a file belongs to."""
    return next((part for part, mark in PARTS if (file.startswith(mark) if mark == "<" else mark in file)), ELSE)
