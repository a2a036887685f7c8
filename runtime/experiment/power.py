"""Compute before any game is played what an experiment can show: the least effect, and the games for an effect.

The input is the error of an interval, and the share of pairs whose games have different winners; this is not known
before, so that all is computed for several shares. The output is a `PowerRecord`.
"""

from runtime.experiment.mean_interval import ERROR, POWER, least_effect, pairs_needed
from runtime.graph.records.measuring import PowerRecord

EFFECTS = (0.05, 0.1, 0.2, 0.3)
# Assumed shares of pairs with another winner; the first means: no more than the effect needs.
ASSUMED_SHARES = (0.0, 0.25, 0.5)


def power_of_experiment(games: int, error: float, margin: float, stored_share: float | None) -> PowerRecord:
    """Compute what so many pairs of games show; `stored_share` is the share in games that are stored already."""
    shares = ASSUMED_SHARES if stored_share is None else (stored_share,)
    effects = [least_effect(games, share, error) for share in shares]
    least = [f"{100 * effect:.0f}" for effect in effects]
    if stored_share is None:
        reach = f"{least[0]} to {least[-1]} percentage points, by how many pairs have different winners"
        reason = (
            f"{least[0]} points, if all these pairs differ in the same direction; {least[1]}, if a quarter of all "
            f"pairs have different winners; {least[2]}, if half of them have"
        )
    else:
        reach = f"{least[0]} percentage points or more"
        reason = f"of the stored pairs {100 * stored_share:.0f}% have different winners"
    tests = round(ERROR / error)
    return {
        "games": games,
        "tests": tests,
        "shares": list(shares),
        "least": [round(effect, 3) for effect in effects],
        "effects": [
            {"effect": effect, "games": [pairs_needed(-effect, share, 0.0, error) for share in shares]}
            for effect in EFFECTS
        ],
        "same": {"effect": margin, "games": [pairs_needed(0.0, share, margin, error) for share in shares]},
        "says": [
            f"{games} pairs of games show in {POWER:.0%} of all experiments a difference of {reach}",
            reason,
            f"each 95% interval holds at any time and is corrected for {tests} tests",
        ],
    }
