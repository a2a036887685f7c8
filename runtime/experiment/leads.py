"""The lead in levels of a side at the end of a game: its level less the best level of the other sides."""

from fractions import Fraction

from runtime.experiment.game_outcome import Outcome
from runtime.graph import nodes as graph
from runtime.graph.nodes import Number, Scale


def signed_level(game: Outcome, side: str) -> int | Fraction:
    """Return the level at which the side won, or lost (negative); a draw is 0."""
    levels = dict(game.levels)
    return levels.get(side, 0) - max((level for other, level in game.levels if other != side), default=0)


def largest_lead(rules: graph.Graph) -> int | Fraction | None:
    """Return the most levels by which a side can lead; None if levels are numbers without bounds, or there are none."""
    type_ = rules.terms[rules.outcome].type if rules.outcome else None
    if isinstance(type_, Scale):
        places = [place for _, place in rules.vocabulary.scales[type_.name].places]
        return max(0, *places) - min(0, *places)
    if isinstance(type_, Number) and type_.low is not None and type_.high is not None:
        return max(0, type_.high) - min(0, type_.low)
    return None
