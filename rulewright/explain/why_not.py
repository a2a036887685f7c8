"""Why something is not open: the refusals that match most of the words of a player, and their reasons.

In: a playthrough at a decision, and the words of a player's intended choice. Out: a `WhyNot`, or its blocks.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS
from rulewright.explain.decision_state import enter_phase, offered_phases
from rulewright.explain.nearest_refusals import (
    informative_refusals,
    misplaced_word,
    nearest_refusals,
    refusals_of_places,
)
from rulewright.explain.option_lines import action_phrase, option_text
from rulewright.explain.piece_details import is_known_name
from rulewright.explain.refusal_blocks import ExplainedRefusal, explained_refusals, refusal_block
from runtime.answer.answer_block import plain_block
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import DocumentBlock, DocumentTag
from runtime.play.game import SEQUENCE, Game
from runtime.play.options import TAKE, Decision, Option
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.word_binding import join_words
from runtime.players.player import as_seen
from runtime.state.position import State


class WhyNot(NamedTuple):
    """An explanation of a refusal: reasons and their refusals; or the actions by which the choice is open."""

    reasons: tuple[ExplainedRefusal, ...]
    refusals: tuple[ActionRefusal, ...]
    open: tuple[str, ...] = ()

    def blocks(self, rules: graph.Graph, known_actions: Collection[str] = ()) -> tuple[DocumentBlock, ...]:
        """Return a block for each reason; its actions are named unless its reader knows them."""
        if self.open:
            return tuple(plain_block(f"Yes. {reason.sentence}") for reason in self.reasons)
        return tuple(refusal_block(rules, reason, known_actions) for reason in self.reasons)

    @property
    def explained(self) -> bool:
        """Return whether a rule refuses it."""
        return any(reason.explanation for reason in self.reasons)

    @property
    def actions(self) -> tuple[str, ...]:
        """Return the actions that the explanation concerns."""
        return self.open or tuple(refusal.action for refusal in self.refusals if refusal.action)


def refusal_explanation(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str
) -> Iterator[DocumentBlock]:
    """Yield the explanation of the refusals that match most of the words, with rules and paragraphs."""
    word_list = _with_action_name(game, playthrough.state, word_list)
    refused = explain_refusals(game, playthrough, word_list, side)
    yield from refused.blocks(game.graph)
    yield from later_refusals(game, playthrough, word_list, side, refused)


def later_refusals(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str, refused: WhyNot
) -> Iterator[DocumentBlock]:
    """Yield the explanation of the refusals by actions that are offered later in the phase, besides present ones.

    The player may not know the order of a phase.
    """
    call = playthrough.calls[-1]
    step = game.step_of(call)
    if call.key != SEQUENCE or not isinstance(step, graph.Offer) or playthrough.state.phase not in offered_phases(game):
        return
    phase_playthrough = enter_phase(game, playthrough.state.copy(), playthrough.state.phase, side).playthrough
    found = explain_refusals(game, phase_playthrough, word_list, side)
    offered_actions = {name for name, _ in step.actions}
    if any(name not in offered_actions for name in found.actions) and found.reasons != refused.reasons:
        later = DocumentTag("later in this phase", "moment")
        yield from (replace(block, tags=(*block.tags, later)) for block in found.blocks(game.graph))


def _with_action_name(game: Game, state: State, word_list: Sequence[str]) -> Sequence[str]:
    """Replace the description of an action at the beginning of a line by its name, and join the words of one name."""
    line = " ".join(word_list).lower()
    for program in game.programs.entries.values():
        phrase = option_text(program.procedure).lower() if program.procedure.what == "action" else ""
        if " " in phrase and f"{line} ".startswith(f"{phrase} "):
            return program.procedure.name, *join_words(state, word_list[len(phrase.split()) :])
    return join_words(state, word_list)


def without_stop_words(game: Game, state: State, word_list: Sequence[str]) -> list[str]:
    """Remove the words of a sentence that have no topic: `why can T not enter B`. Names and phrases of actions stay."""
    word_list = _with_action_name(game, state, word_list)
    return [word for word in word_list if word.lower() not in STOP_WORDS or is_known_name(state, word)]


def explain_refusals(
    game: Game,
    playthrough: Playthrough,
    word_list: Sequence[str],
    side: str,
    *,
    closed: bool = False,
    actions: Collection[str] | None = None,
) -> WhyNot:
    """Explain the refusals that match most of the words; those of some `actions` alone if none is open.

    With `actions`, if none as well, the words are about a way to a place, and not about what stands there.

    With `closed`, another option is open, and only refusals that match all of the words are explained.

    A refusal is decided by the complete state, its reasons only by what the side may know: if the reason is unknown to
    the side, only the refusal is reported.
    """
    found = _refusals(game, as_seen(game, playthrough, side), word_list, actions or ())
    if closed:
        found = [refusal for refusal in found if _is_complete(refusal, len(word_list))]
        if not found:
            return WhyNot((), ())
    if not found:
        return _from_line(f"nothing here could take {' '.join(word_list)}")
    reach = found[0].bound_word_count
    furthest: Sequence[ActionRefusal] = [refusal for refusal in found if refusal.bound_word_count == reach]
    if _is_one_open(furthest):
        return _not_refused(game, playthrough, word_list, side, furthest)
    if actions is not None:
        furthest = refusals_of_places(game, furthest)
    furthest = informative_refusals(found, furthest, reach)
    if line := misplaced_word(game, playthrough.state, furthest, word_list[min(reach, len(word_list) - 1)]):
        return _from_line(line)
    refusals = nearest_refusals(game, found, furthest, reach)
    if not refusals[0].action and f"action:{word_list[0]}" in game.programs.entries:
        return _from_line(f"{action_phrase(game, word_list[0])} is not offered now")
    return WhyNot(tuple(explained_refusals(game, as_seen(game, playthrough, side).state, refusals)), tuple(refusals))


def _refusals(
    game: Game, seen: Playthrough, word_list: Sequence[str], actions: Collection[str]
) -> Sequence[ActionRefusal]:
    """Return the refusals of all actions for the words, best matches first; of some `actions` alone if none is open."""
    found = find_refusals(game, seen, word_list)
    if any(map(_is_open, found)):  # An open one of the others counts.
        return found
    return [refusal for refusal in found if refusal.action in actions] or found


def _is_open(refusal: ActionRefusal) -> bool:
    """Return whether all words are bound to choices, and nothing refuses these."""
    return not refusal.reason and not refusal.unused_words


def _is_one_open(furthest: Sequence[ActionRefusal]) -> bool:
    """Return whether no word is left over, and nothing refuses one of the actions."""
    return not any(refusal.unused_words for refusal in furthest) and any(map(_is_open, furthest))


def _is_complete(refusal: ActionRefusal, word_count: int) -> bool:
    """Return whether a condition refuses all of the words; the last one may be the refused one."""
    is_refused = bool(refusal.reason and refusal.failing)
    return is_refused and not refusal.unused_words and refusal.bound_word_count >= word_count - 1


def _not_refused(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str, furthest: Sequence[ActionRefusal]
) -> WhyNot:
    """Return the actions that match all words and are open, both as the side may know and in the complete state."""
    allowed_actions = {each.action for each in find_refusals(game, playthrough, word_list) if not each.reason}
    if open_ := [each.action for each in furthest if not each.reason and each.action in allowed_actions]:
        return _open_by(game, open_)
    player = words.member("side", side, game.graph.vocabulary)
    return _from_line(f"it is not open, and why is not for {player} to know")


def _open_by(game: Game, actions: Sequence[str]) -> WhyNot:
    """Return that a choice is open by these actions."""
    action_text = words.list_text([action_phrase(game, action) for action in actions])
    return _from_line(f"nothing forbids it: {action_text}")._replace(open=tuple(actions))


def without_movers(game: Game, playthrough: Playthrough, decision: Decision, word_list: Sequence[str]) -> Sequence[str]:
    """Remove the words for pieces that are arguments of all offered actions, unless no other word remains."""
    name_sets = [
        _piece_arguments(game, playthrough.state, option) for option in decision.options if option.kind == TAKE
    ]
    movers = set[str].intersection(*name_sets) if name_sets else set()
    return [word for word in word_list if word not in movers] or word_list


def _piece_arguments(game: Game, state: State, option: Option) -> set[str]:
    """Return the names of the pieces among the arguments of an offered action."""
    parameters = game.programs.entries[f"action:{option.name}"].procedure.parameters
    names = set[str]()
    for parameter, value in zip(parameters, option.value or (), strict=False):
        if isinstance(parameter.type, graph.Piece):
            names.add(state.sheets[value].name)
    return names


def _from_line(line: str) -> WhyNot:
    return WhyNot((ExplainedRefusal(words.sentence(line)),), ())
