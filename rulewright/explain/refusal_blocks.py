"""The blocks of refusals: the reason in a sentence, the rules behind it, and the other conditions that fail.

In: a state as its reader may know it, and refusals of actions. Out: an `ExplainedRefusal` for each reason, which
actions may share, and its `DocumentBlock`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rulewright.explain.auxiliary_rules import deciding_rules_first, follow_auxiliary_rules
from rulewright.explain.option_lines import action_phrase
from rulewright.explain.roles import action_roles
from runtime.answer.answer_block import AnswerBlockBuilder, plain_block
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import DocumentBlock, DocumentLine, DocumentRole, DocumentTag
from runtime.graph.grouping import group_by
from runtime.play.blocking_reasons import BlockingReasons
from runtime.play.game import Game
from runtime.play.refusal_parts import ActionRefusal
from runtime.state.position import State
from runtime.state.record import Value

# The most further conditions that are named below the reasons.
MOST_FURTHER = 3
# The depth to which the questions behind a reason are explained, for its printed rules.
DEPTH = 3

# The term and the arguments of a question.
Question = tuple[str, tuple[Value, ...]]


class ExplainedRefusal(NamedTuple):
    """One reason of a refusal: a sentence, the phrases of the refused actions, and what decides.

    `explanation` is that of the refusing question; None if the reason is not a question. `whole` has all questions
    behind it. `further` are the conditions that fail besides the one that decides, each with the explanation of its
    question.
    """

    sentence: str
    actions: tuple[str, ...] = ()
    explanation: Explanation | None = None
    whole: Explanation | None = None
    further: tuple[tuple[str, Explanation | None], ...] = ()


def explained_refusals(game: Game, state: State, refused: Sequence[ActionRefusal]) -> Iterator[ExplainedRefusal]:
    """Yield the reasons of refusals; refusals of several actions for the same reason are merged.

    An auxiliary rule that decides a question of the refusing rules is followed to the printed rules that it passes on.
    """
    refused = [_led_by_pieces(game, state, refusal) for refusal in refused]
    groups = group_by(refused, lambda refusal: (words.sentence(refusal.reason), _question(refusal.explanation)))
    for (reason, _), group in groups.items():
        actions = dict.fromkeys(action_phrase(game, refusal.action) for refusal in group if refusal.action)
        found, explanation, whole = group[0].explanation, None, None
        if found is not None:
            whole = _explainer_of(game).explain_fully(state, found.term, found.arguments, DEPTH)
            explanation = deciding_rules_first(follow_auxiliary_rules(whole, 1))
        others = _other_conditions(BlockingReasons(game, state), group)
        yield ExplainedRefusal(reason, tuple(actions), explanation, whole, tuple(others))


def refusal_block(rules: graph.Graph, refusal: ExplainedRefusal, known_actions: Collection[str] = ()) -> DocumentBlock:
    """Return the block of a refusal, with the actions that it concerns unless its reader knows these."""
    builder, lines = AnswerBlockBuilder(rules), tuple[DocumentLine, ...]()
    if refusal.explanation is not None:
        is_answer = words.sentence(refusal.explanation.sentence) == refusal.sentence
        behind = refusal.explanation
        lines = builder.block(behind, whole=refusal.whole).lines if is_answer else tuple(builder.answer_lines([behind]))
    further = [builder.answer_line(DocumentRole.FURTHER, *each) for each in refusal.further[:MOST_FURTHER]]
    # Words that no action takes are refused by nothing.
    opening = "No. " if refusal.actions else ""
    folded = [line for line in lines if line.role is DocumentRole.INAPPLICABLE]
    decisive = [line for line in lines if line.role is not DocumentRole.INAPPLICABLE]
    block = plain_block(f"{opening}{refusal.sentence}", lines=(*decisive, *further, *folded))
    tags = [DocumentTag(each, "action") for each in refusal.actions if each not in known_actions]
    return replace(block, tags=tuple(tags))


def short_reason(refusal: ActionRefusal) -> str:
    """Return the reason of a refusal as one sentence: that of the rule, where it only says that it may not be."""
    reason, explanation = words.sentence(refusal.reason), refusal.explanation
    if explanation is None or words.sentence(explanation.sentence) != reason:
        return reason
    clauses = (*explanation.applied_rules(), *(each for each in explanation.clauses if each.would_reverse))
    texts = (each.prose or "; ".join(each.reasons) for each in clauses)
    return words.sentence(next(filter(None, texts), reason))


def _led_by_pieces(game: Game, state: State, refusal: ActionRefusal) -> ActionRefusal:
    """Return a refusal with the reason against a piece that acts first, before one that names no piece of the words.

    That an attack may not be made may be for other choices than those of the words, as its targets.
    """
    if not refusal.explanation or not refusal.action:
        return refusal
    agents = _agents(game, refusal)
    if _is_about(game, refusal.explanation, agents):
        return refusal
    for blocking in BlockingReasons(game, state).failing_conditions(refusal):
        if blocking.explanation and _is_about(game, blocking.explanation, agents):
            return replace(refusal, reason=blocking.text, explanation=blocking.explanation, failing=blocking.failing)
    return refusal


def _agents(game: Game, refusal: ActionRefusal) -> set[Value]:
    """Return the pieces that act by the choices of a refusal."""
    names = action_roles(game.graph)[refusal.action].pieces
    agents = set[Value]()
    for name, value in refusal.choices.items():
        if name in names:
            agents.update(value if isinstance(value, tuple) else (value,))
    return agents


def _is_about(game: Game, explanation: Explanation, agents: set[Value]) -> bool:
    """Return whether an explained question has one of some pieces as an argument."""
    parameters = game.graph.terms[explanation.term].parameters
    for parameter, value in zip(parameters, explanation.arguments, strict=True):
        if isinstance(parameter.type, graph.Piece) and value in agents:
            return True
    return False


def _other_conditions(query: BlockingReasons, group: Sequence[ActionRefusal]) -> list[tuple[str, Explanation | None]]:
    """Return the sentences of the conditions that fail besides the reasons of refusals, each text and question once."""
    texts = {words.sentence(refusal.reason) for refusal in group}
    questions = {_question(refusal.explanation) for refusal in group} - {None}
    others = list[tuple[str, Explanation | None]]()
    for refusal in group:
        for blocking in query.failing_conditions(refusal):
            text, question = words.sentence(blocking.text), _question(blocking.explanation)
            if text not in texts and question not in questions:
                explanation = blocking.explanation
                others.append((text, explanation and deciding_rules_first(follow_auxiliary_rules(explanation, 1))))
                texts.add(text)
                questions |= {question} - {None}
    return others


def _question(explanation: Explanation | None) -> Question | None:
    """Return the question of an explanation."""
    return (explanation.term, explanation.arguments) if explanation else None


def _explainer_of(game: Game) -> Explainer:
    """Return an explainer that answers by generated code, and follows only what decided."""
    return Explainer(Interpreter(game.graph, elsewhere=game.evaluator.evaluator.ask), contrary=True)
