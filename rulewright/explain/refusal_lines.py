"""Explanations of refusals, in a few lines.

In: a playthrough at a decision, and the words of a player's intended choice. Out: a `WhyNot`, or its lines.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS
from rulewright.explain.auxiliary_rules import deciding_rules_first, follow_auxiliary_rules
from rulewright.explain.decision_state import enter_phase, offered_phases
from rulewright.explain.option_lines import action_phrase, option_text
from rulewright.explain.piece_details import is_known_name
from rulewright.explain.roles import action_roles
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.explanation_text import deciding_rules_text, explanation_text, missed_permissions
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import with_space_noun
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.grouping import group_by
from runtime.graph.steps import offered_in
from runtime.play.blocking_reasons import BlockingReasons
from runtime.play.game import SEQUENCE, Game
from runtime.play.options import TAKE, Decision
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.word_binding import join_words
from runtime.players.player import as_seen
from runtime.state.position import State
from runtime.state.record import Value

# The most reasons of an explanation; the best matches come first.
REASONS = 3
# The most further conditions that are named below the reasons.
MOST_FURTHER = 3
FURTHER = "Besides: "
# The depth to which the questions behind a reason are explained, for its printed rules.
DEPTH = 3


class RefusalLine(NamedTuple):
    """One reason of a refusal: a sentence with the refused actions, and lines with the rules behind it.

    `explanation` is that of the refusing question; None if the reason is not a question. `is_further`: it is about a
    condition that fails besides the one that decides. `rules` names the rules that decide it, after the sentence.
    """

    sentence: str
    details: tuple[str, ...]
    explanation: Explanation | None
    is_further: bool = False
    rules: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the sentence with the names of rules, and the lines of details."""
        return f"{self.sentence.removesuffix('.')}{self.rules}." if self.rules else self.sentence, *self.details


class WhyNot(NamedTuple):
    """An explanation of a refusal: reasons and their refusals; or the actions by which the choice is open."""

    reasons: tuple[RefusalLine, ...]
    refusals: tuple[ActionRefusal, ...]
    open: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of all reasons."""
        return tuple(line for each in self.reasons for line in each.lines)

    @property
    def explained(self) -> bool:
        """Return whether a rule refuses it."""
        return any(each.explanation and not each.is_further for each in self.reasons)

    @property
    def actions(self) -> tuple[str, ...]:
        """Return the actions that the explanation concerns."""
        return self.open or tuple(each.action for each in self.refusals if each.action)


def refusal_explanation(game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str) -> Iterator[str]:
    """Yield the explanation of the refusals that match most of the words, with rules and paragraphs."""
    word_list = _with_action_name(game, playthrough.state, word_list)
    refused = explain_refusals(game, playthrough, word_list, side)
    yield from refused.lines
    yield from later_refusal_lines(game, playthrough, word_list, side, refused)


def later_refusal_lines(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str, refused: WhyNot
) -> Iterator[str]:
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
    if any(name not in offered_actions for name in found.actions) and found.lines != refused.lines:
        yield "Later in this phase:"
        yield from found.lines


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
    found = find_refusals(game, as_seen(game, playthrough, side), word_list)
    if all(each.reason or each.unused_words for each in found):  # An open one of the others counts.
        found = [each for each in found if each.action in (actions or ())] or found
    if closed:
        # The last word may be the refused one.
        found = [
            each
            for each in found
            if each.reason and each.failing and not each.unused_words and each.bound_word_count >= len(word_list) - 1
        ]
        if not found:
            return WhyNot((), ())
    if not found:
        return _from_line(f"nothing here could take {' '.join(word_list)}")
    reach = found[0].bound_word_count
    furthest = [each for each in found if each.bound_word_count == reach]
    if not any(each.unused_words for each in furthest) and any(not each.reason for each in furthest):
        return _not_refused(game, playthrough, word_list, side, furthest)
    if actions is not None:
        # What takes a piece to no place does not tell why it may not go there.
        furthest = [each for each in furthest if _takes_place(game, each.action)] or furthest
    if all(each.reason and each.failing is None for each in furthest):
        # The refusal of the previous word is more informative than an empty set of candidates.
        nearly = [
            each for each in found if each.bound_word_count == reach - 1 and each.explanation and not each.unused_words
        ]
        furthest = nearly or furthest
    if line := _misplaced_word(game, playthrough.state, furthest, word_list[min(reach, len(word_list) - 1)]):
        return _from_line(line)
    refused = [each for each in furthest if each.reason]
    passing = [each for each in found if each.bound_word_count >= reach - 1 and _passes(game, each)]
    # Temporary obstacles come before permanent ones.
    others = [each for each in _most_specific(game, refused) if not any(each is other for other in passing)]
    refusals = [*passing, *others][:REASONS]
    if not refusals[0].action and f"action:{word_list[0]}" in game.programs.entries:
        return _from_line(f"{action_phrase(game, word_list[0])} is not offered now")
    return WhyNot(tuple(_reasons(game, as_seen(game, playthrough, side).state, refusals)), tuple(refusals))


def _takes_place(game: Game, action: str) -> bool:
    """Return whether an action, or one that it offers, lets choose a place."""
    roles = action_roles(game.graph)
    inner = offered_in(game.programs.entries[f"action:{action}"].procedure) if action else ()
    return any(roles[each].places for each in (action, *inner) if each)


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
    opens = "actions are open" if len(actions) > 1 else "action is open"
    return _from_line(f"nothing forbids it: the {opens} ({action_text})")._replace(open=tuple(actions))


def _misplaced_word(game: Game, state: State, furthest: Sequence[ActionRefusal], word: str) -> str:
    """Return a sentence on a word that no action accepts, or not in its place; "" if a rule refuses."""
    if all(not each.reason for each in furthest):
        rest = furthest[0].unused_words[0]
        if not is_known_name(state, rest):
            return with_space_noun(state, f"`{rest}` is no hex, no piece and no action")
        action_text = words.list_text([action_phrase(game, each.action) for each in furthest])
        return f"{words.sentence(action_text).rstrip('.')}: `{rest}` cannot be chosen for that"
    refused = [each for each in furthest if each.reason]
    if len(refused) > 1 and all(each.wrong_type for each in refused):
        action_text = words.list_text([action_phrase(game, each.action) for each in refused])
        return f"`{word}` cannot come first: {action_text} ask for something else"
    return ""


def _most_specific(game: Game, refused: Sequence[ActionRefusal]) -> list[ActionRefusal]:
    """Return the most specific refusals; those by rules are sorted by the number of obstacles.

    A refusal by a rule is more specific than a type error, one of a matching choice still more. A refusal as a
    candidate is as specific as one by a condition after the choice. That there is nothing to choose where no word is
    meant says nothing about a word that is left.
    """
    ruled = [each for each in refused if each.explanation and each.failing]
    typed = [each for each in refused if not each.wrong_type]
    best = ruled or [each for each in typed if not (each.is_empty and each.unused_words)] or typed or list(refused)
    fit = max(each.match_score for each in best)
    if not ruled:
        return [each for each in best if each.match_score >= fit]
    # A refusal of a candidate matches as far as one by a condition after the choice.
    closest_refusals = [each for each in best if each.match_score >= fit - 1]
    return sorted(closest_refusals, key=lambda each: (_obstacles(each), _place(game, each)))


def _passes(game: Game, refusal: ActionRefusal) -> bool:
    """Return whether only a status refuses that is reset automatically, as that a piece has moved.

    The failing condition is that it is not set, or a rule whose guard is that it is set decides the failing question.
    """
    failing = refusal.failing.condition if refusal.failing else None
    if isinstance(failing, graph.Is) and failing.negated:
        return _is_reset(game, failing)
    applied = refusal.explanation.applied_rules() if refusal.explanation else ()
    guards = [game.graph.rules[each.label].guard for each in applied if each.label in game.graph.rules]
    return any(isinstance(guard, graph.Is) and not guard.negated and _is_reset(game, guard) for guard in guards)


def _is_reset(game: Game, condition: graph.Is) -> bool:
    """Return whether all tests of a condition are of statuses that are reset automatically."""
    flags = game.graph.vocabulary.flags
    statuses = [flags[f"{each.owner}.{each.name}"] for each in condition.tests if each.what == "status"]
    return bool(statuses) and all(each.until for each in statuses)


def without_movers(game: Game, playthrough: Playthrough, decision: Decision, word_list: Sequence[str]) -> Sequence[str]:
    """Remove the words for pieces that are arguments of all offered actions, unless no other word remains."""
    name_sets = [
        {
            playthrough.state.sheets[value].name
            for parameter, value in zip(_parameters(game, option.name), option.value or (), strict=False)
            if isinstance(parameter.type, graph.Piece)
        }
        for option in decision.options
        if option.kind == TAKE
    ]
    movers = set[str].intersection(*name_sets) if name_sets else set()
    return [word for word in word_list if word not in movers] or word_list


def _parameters(game: Game, action: str) -> tuple[graph.Parameter, ...]:
    """Return the parameters of an action."""
    return game.programs.entries[f"action:{action}"].procedure.parameters


def _obstacles(refusal: ActionRefusal) -> int:
    """Return the number of rules that refuse."""
    return len(refusal.explanation.applied_rules()) if refusal.explanation else 0


def _place(game: Game, refusal: ActionRefusal) -> tuple[str, int]:
    """Return the file and line of an action."""
    origin = game.programs.entries[f"action:{refusal.action}"].procedure.origin
    return origin.file, origin.line


def underlying_explanations(game: Game, playthrough: Playthrough, found: WhyNot, side: str) -> tuple[Explanation, ...]:
    """Explain the refusing questions down to their printed rules, as far as a side may know."""
    state = as_seen(game, playthrough, side).state
    explainer = _explainer(game)
    word_list = [each.explanation for each in found.reasons if each.explanation is not None]
    return tuple(explainer.explain_fully(state, each.term, each.arguments, DEPTH) for each in word_list)


def _from_line(line: str) -> WhyNot:
    return WhyNot((RefusalLine(words.sentence(line), (), None),), ())


def _reasons(game: Game, state: State, refused: Sequence[ActionRefusal]) -> Iterator[RefusalLine]:
    """Yield the reasons of refusals; refusals of several actions for the same reason are merged."""
    refused = [_led_by_pieces(game, state, each) for each in refused]
    groups = group_by(refused, lambda each: (words.sentence(each.reason), _reasons_of(game, state, each)))
    for (reason, details), group in groups.items():
        phrases = dict.fromkeys(action_phrase(game, each.action) for each in group if each.action)
        action_text = words.list_text([*phrases])
        sentence = f"{words.sentence(action_text).rstrip('.')}: {reason}" if action_text else reason
        yield RefusalLine(sentence, details, group[0].explanation)
        yield from _further_reasons(game, state, group)


def _led_by_pieces(game: Game, state: State, refusal: ActionRefusal) -> ActionRefusal:
    """Return a refusal with the reason against a piece that acts first, before one that names no piece of the words.

    That an attack may not be made may be for other choices than those of the words, as its targets.
    """
    if not refusal.explanation or not refusal.action:
        return refusal
    names = action_roles(game.graph)[refusal.action].pieces
    values = (value for name, value in refusal.choices.items() if name in names)
    agents = {each for value in values for each in (value if isinstance(value, tuple) else (value,))}

    def is_about_agent(explanation: Explanation | None) -> bool:
        term = game.graph.terms[explanation.term] if explanation else None
        pairs = zip(term.parameters, explanation.arguments, strict=True) if term and explanation else ()
        return any(isinstance(each.type, graph.Piece) and value in agents for each, value in pairs)

    if is_about_agent(refusal.explanation):
        return refusal
    for each in BlockingReasons(game, state).failing_conditions(refusal):
        if each.explanation and is_about_agent(each.explanation):
            return replace(refusal, reason=each.text, explanation=each.explanation, failing=each.failing)
    return refusal


def _further_reasons(game: Game, state: State, group: Sequence[ActionRefusal]) -> Iterator[RefusalLine]:
    """Yield the other conditions that fail, each with the rules that decide it, and the number of those left out."""
    query = BlockingReasons(game, state)
    texts = {words.sentence(refusal.reason) for refusal in group}
    questions = {_question(refusal.explanation) for refusal in group} - {None}
    others = list[tuple[str, Explanation | None]]()
    for each in (found for refusal in group for found in query.failing_conditions(refusal)):
        text, question = words.sentence(each.text), _question(each.explanation)
        if text not in texts and question not in questions:
            others.append((text, each.explanation))
            texts.add(text)
            questions |= {question} - {None}
    for text, explanation in others[:MOST_FURTHER]:
        rules = deciding_rules_text(deciding_rules_first(follow_auxiliary_rules(explanation, 1))) if explanation else ""
        yield RefusalLine(f"{FURTHER}{text.removesuffix('.')}.", (), explanation, is_further=True, rules=rules)
    if (left := len(others) - MOST_FURTHER) > 0:
        yield RefusalLine(
            f"{left} more {'condition fails' if left == 1 else 'conditions fail'}.", (), None, is_further=True
        )


def _question(explanation: Explanation | None) -> tuple[str, tuple[Value, ...]] | None:
    """Return the question of an explanation."""
    return (explanation.term, explanation.arguments) if explanation else None


def _reasons_of(game: Game, state: State, refusal: ActionRefusal) -> tuple[str, ...]:
    """Return the lines of the explanation of a refusal, without its first sentence.

    An auxiliary rule that decides a question of the refusing rules is followed to the printed rules that it passes on.
    """
    if not refusal.action or not refusal.explanation:
        return ()
    found = refusal.explanation
    deep = _explainer(game).explain_fully(state, found.term, found.arguments, DEPTH)
    followed = deciding_rules_first(follow_auxiliary_rules(deep, 1))
    reasons = explanation_text(followed).split("\n\nNot so:")[0].splitlines()
    first = words.sentence(found.sentence)
    after_first = [line for line in reasons if line != first or words.sentence(refusal.reason) != first]
    return (*after_first, *(f"  {line}" for line in missed_permissions(deep)))


def _explainer(game: Game) -> Explainer:
    """Return an explainer that answers by generated code, and follows only what decided."""
    return Explainer(Interpreter(game.graph, elsewhere=game.evaluator.evaluator.ask), contrary=True)
