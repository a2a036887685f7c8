"""The refusals that tell most: those that match the words furthest, by a rule, for a reason that may pass.

In: the refusals of all actions for the words of a player (`runtime/play/refusal.py`). Out: the few that are explained.
"""

from collections.abc import Sequence

from rulewright.explain.option_lines import action_phrase
from rulewright.explain.piece_details import is_known_name
from rulewright.explain.roles import action_roles
from runtime.answer.value_text import with_space_noun
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.steps import offered_in
from runtime.play.game import Game
from runtime.play.refusal_parts import ActionRefusal
from runtime.state.position import State

# The most reasons of an explanation; the best matches come first.
REASONS = 3


def refusals_of_places(game: Game, furthest: Sequence[ActionRefusal]) -> Sequence[ActionRefusal]:
    """Return the refusals of actions that let choose a place, if there are any.

    What takes a piece to no place does not tell why it may not go there.
    """
    return [refusal for refusal in furthest if _takes_place(game, refusal.action)] or furthest


def _takes_place(game: Game, action: str) -> bool:
    """Return whether an action, or one that it offers, lets choose a place."""
    roles = action_roles(game.graph)
    inner = offered_in(game.programs.entries[f"action:{action}"].procedure) if action else ()
    return any(roles[name].places for name in (action, *inner) if name)


def informative_refusals(
    found: Sequence[ActionRefusal], furthest: Sequence[ActionRefusal], reach: int
) -> Sequence[ActionRefusal]:
    """Return the refusals of the previous word if the furthest ones are all by an empty set of candidates.

    They are more informative.
    """
    if any(refusal.failing is not None or not refusal.reason for refusal in furthest):
        return furthest
    nearly = list[ActionRefusal]()
    for refusal in found:
        if refusal.bound_word_count == reach - 1 and refusal.explanation and not refusal.unused_words:
            nearly.append(refusal)
    return nearly or furthest


def misplaced_word(game: Game, state: State, furthest: Sequence[ActionRefusal], word: str) -> str:
    """Return a sentence on a word that no action accepts, or not in its place; "" if a rule refuses."""
    refused = [refusal for refusal in furthest if refusal.reason]
    if not refused:
        rest = furthest[0].unused_words[0]
        if not is_known_name(state, rest):
            return with_space_noun(state, f"`{rest}` is no hex, no piece and no action")
        return f"{words.sentence(_phrases(game, furthest)).rstrip('.')}: `{rest}` cannot be chosen for that"
    if len(refused) > 1 and all(refusal.wrong_type for refusal in refused):
        return f"`{word}` cannot come first: {_phrases(game, refused)} ask for something else"
    return ""


def _phrases(game: Game, refusals: Sequence[ActionRefusal]) -> str:
    """Return the phrases of the actions of refusals as a list."""
    return words.list_text([action_phrase(game, refusal.action) for refusal in refusals])


def nearest_refusals(
    game: Game, found: Sequence[ActionRefusal], furthest: Sequence[ActionRefusal], reach: int
) -> list[ActionRefusal]:
    """Return the refusals to explain: temporary obstacles, and then the most specific of the furthest ones."""
    passing = list[ActionRefusal]()
    for refusal in found:
        if refusal.bound_word_count >= reach - 1 and _passes(game, refusal):
            passing.append(refusal)
    known = {id(refusal) for refusal in passing}
    specific = _most_specific(game, [refusal for refusal in furthest if refusal.reason])
    others = [refusal for refusal in specific if id(refusal) not in known]
    return [*passing, *others][:REASONS]


def _most_specific(game: Game, refused: Sequence[ActionRefusal]) -> list[ActionRefusal]:
    """Return the most specific refusals; those by rules are sorted by the number of obstacles.

    A refusal by a rule is more specific than a type error, one of a matching choice still more. A refusal as a
    candidate is as specific as one by a condition after the choice.
    """
    ruled = [refusal for refusal in refused if refusal.explanation and refusal.failing]
    if not ruled:
        typed = _typed(refused)
        fit = max(refusal.match_score for refusal in typed)
        return [refusal for refusal in typed if refusal.match_score >= fit]
    # A refusal of a candidate matches as far as one by a condition after the choice.
    fit = max(refusal.match_score for refusal in ruled) - 1
    closest = [refusal for refusal in ruled if refusal.match_score >= fit]
    return sorted(closest, key=lambda refusal: (_obstacles(refusal), _place(game, refusal)))


def _typed(refused: Sequence[ActionRefusal]) -> Sequence[ActionRefusal]:
    """Return the refusals of words that fit the choices of an action, if there are any.

    That there is nothing to choose where no word is meant says nothing about a word that is left.
    """
    typed = [refusal for refusal in refused if not refusal.wrong_type]
    of_words = [refusal for refusal in typed if not (refusal.is_empty and refusal.unused_words)]
    return of_words or typed or refused


def _passes(game: Game, refusal: ActionRefusal) -> bool:
    """Return whether only a status refuses that is reset automatically, as that a piece has moved.

    The failing condition is that it is not set, or a rule whose guard is that it is set decides the failing question.
    """
    failing = refusal.failing.condition if refusal.failing else None
    if isinstance(failing, graph.Is) and failing.negated:
        return _is_reset(game, failing)
    for applied in refusal.explanation.applied_rules() if refusal.explanation else ():
        rule = game.graph.rules.get(applied.label)
        guard = rule.guard if rule else None
        if isinstance(guard, graph.Is) and not guard.negated and _is_reset(game, guard):
            return True
    return False


def _is_reset(game: Game, condition: graph.Is) -> bool:
    """Return whether all tests of a condition are of statuses that are reset automatically."""
    flags = game.graph.vocabulary.flags
    statuses = [flags[f"{test.owner}.{test.name}"] for test in condition.tests if test.what == "status"]
    return bool(statuses) and all(status.until for status in statuses)


def _obstacles(refusal: ActionRefusal) -> int:
    """Return the number of rules that refuse."""
    return len(refusal.explanation.applied_rules()) if refusal.explanation else 0


def _place(game: Game, refusal: ActionRefusal) -> tuple[str, int]:
    """Return the file and line of an action."""
    origin = game.programs.entries[f"action:{refusal.action}"].procedure.origin
    return origin.file, origin.line
