"""Where greedy players want to be: a sentence for each side.

In: the rules of a situation, and the sides that `greedy` plays. Out: sentences about the aims that are derived from the
outcome (runtime/players/aims).
"""

from collections.abc import Collection

from rulewright.games.scenarios import game_of
from runtime.graph import nodes as graph
from runtime.graph.words import counted_noun, list_text
from runtime.players.aims.aim_targets import MOST_NEEDED, AimKind, AimTarget, aims_of

# The most spaces of an aim that are named.
_MOST_SPACES = 6


def player_aims(rules: graph.Graph, sides: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each of some sides, in the order of the situation."""
    aims = aims_of(game_of(rules))
    names = aims.probe.state.board.names
    return tuple(_aims_sentence(side, targets, names) for side, targets in aims.targets.items() if side in sides)


def _aims_sentence(side: str, targets: tuple[AimTarget, ...], names: tuple[str, ...]) -> str:
    if targets:
        return f"as {side}, greedy {'; it '.join(_target_text(target, names) for target in targets)}"
    return (
        f"greedy has no aim for {side}: it found no space, action or piece on the map that decides the outcome, and "
        "follows the preferences of the rules"
    )


def _target_text(target: AimTarget, names: tuple[str, ...]) -> str:
    """Return what a greedy player does for an aim."""
    if target.kind is AimKind.HUNT:
        return "hunts the other sides"
    spaces = sorted(names[at] for at in target.worth)
    more = len(spaces) - _MOST_SPACES
    where = list_text([*spaces[:_MOST_SPACES], f"{more} more"] if more > 0 else spaces)
    if target.kind is AimKind.DENY:
        most = f" of {target.needed} of them" if target.needed < len(spaces) else ""
        return f"keeps others out of {where}, with one unit in each{most}"
    if target.is_single:
        return f"goes for {where}, with one unit in each"
    units = "as many units as it can" if target.needed >= MOST_NEEDED else counted_noun(target.needed, "unit")
    return f"goes for {where}, with {units}"
