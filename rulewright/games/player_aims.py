"""Where greedy players want to be: a sentence for each side.

In: the rules of a situation, and the sides that `greedy` plays. Out: sentences about the aims that are derived from the
outcome (runtime/players/aims).
"""

from collections.abc import Collection

from compiler.source.sentence import list_words
from rulewright.games.scenarios import game_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.words import counted_noun, sentence
from runtime.players.aims.aim_targets import MOST_NEEDED, AimKind, AimTarget, aims_of
from runtime.players.aims.outcome_amounts import aim_terms
from runtime.state.position import State


def player_aims(rules: graph.Graph, sides: Collection[str]) -> list[str]:
    """Return a sentence for each of some sides, in the order of the situation."""
    reasons = [aim.reason for aim in rules.aims if aim.reason]
    if reasons and not aim_terms(rules):
        return [f"greedy follows the preferences of the rules alone: {sentence(reason)}" for reason in reasons]
    aims = aims_of(game_of(rules))
    if not aims.targets:
        return []
    return [_aims_sentence(side, targets, aims.probe.state) for side, targets in aims.targets.items() if side in sides]


def _aims_sentence(side: str, targets: tuple[AimTarget, ...], state: State) -> str:
    title = words.side(side, state.graph.vocabulary)
    if targets:
        return f"as {title}, greedy {'; it '.join(_target_text(target, state) for target in targets)}"
    return (
        f"greedy has no aim for {title}: it found no space, action or piece on the map that decides the outcome, and "
        "follows the preferences of the rules"
    )


def _target_text(target: AimTarget, state: State) -> str:
    """Return what a greedy player does for an aim."""
    if target.kind is AimKind.HUNT:
        return "hunts the other sides"
    verb = "goes for" if target.kind is AimKind.SUPPLY else "keeps others out of"
    spaces = list_words(tuple(sorted(state.board.names[at] for at in target.worth)), "and")
    if target.status is not None:
        be = "are" if target.status.is_marked else "are not"
        return f"sends units that {be} {state.graph.vocabulary.flags[target.status.key].reads} to {spaces}"
    if target.is_single:
        part = f"{target.needed} of " if target.needed < len(target.worth) else ""
        return f"{verb} {part}{spaces}, with one unit in each"
    units = "as many units as it can" if target.needed >= MOST_NEEDED else counted_noun(target.needed, "unit")
    return f"{verb} {spaces}, with {units}"
