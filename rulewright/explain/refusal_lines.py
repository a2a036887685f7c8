"""The reasons of refusals as lines: the sentence, the rules behind it, and the other conditions that fail.

In: a state as its reader may know it, and refusals of actions. Out: a `RefusalLine` for each reason.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rulewright.explain.auxiliary_rules import deciding_rules_first, follow_auxiliary_rules
from rulewright.explain.option_lines import action_phrase
from rulewright.explain.roles import action_roles
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.explanation_text import deciding_rules_text, explanation_text, missed_permissions
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.grouping import group_by
from runtime.play.blocking_reasons import BlockingReasons
from runtime.play.game import Game
from runtime.play.refusal_parts import ActionRefusal
from runtime.state.position import State
from runtime.state.record import Value

# The most further conditions that are named below the reasons.
MOST_FURTHER = 3
FURTHER = "Besides: "
# The depth to which the questions behind a reason are explained, for its printed rules.
DEPTH = 3

# The term and the arguments of a question.
Question = tuple[str, tuple[Value, ...]]


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


def refusal_lines(game: Game, state: State, refused: Sequence[ActionRefusal]) -> Iterator[RefusalLine]:
    """Yield the reasons of refusals; refusals of several actions for the same reason are merged."""
    refused = [_led_by_pieces(game, state, refusal) for refusal in refused]
    groups = group_by(refused, lambda refusal: (words.sentence(refusal.reason), _reasons_of(game, state, refusal)))
    for (reason, details), group in groups.items():
        phrases = dict.fromkeys(action_phrase(game, refusal.action) for refusal in group if refusal.action)
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


def _further_reasons(game: Game, state: State, group: Sequence[ActionRefusal]) -> Iterator[RefusalLine]:
    """Yield the other conditions that fail, each with the rules that decide it, and the number of those left out."""
    others = _other_conditions(BlockingReasons(game, state), group)
    for text, explanation in others[:MOST_FURTHER]:
        rules = deciding_rules_text(deciding_rules_first(follow_auxiliary_rules(explanation, 1))) if explanation else ""
        yield RefusalLine(f"{FURTHER}{text.removesuffix('.')}.", (), explanation, is_further=True, rules=rules)
    left = len(others) - MOST_FURTHER
    if left > 0:
        count = f"{left} more {'condition fails' if left == 1 else 'conditions fail'}."
        yield RefusalLine(count, (), None, is_further=True)


def _other_conditions(query: BlockingReasons, group: Sequence[ActionRefusal]) -> list[tuple[str, Explanation | None]]:
    """Return the sentences of the conditions that fail besides the reasons of refusals, each text and question once."""
    texts = {words.sentence(refusal.reason) for refusal in group}
    questions = {_question(refusal.explanation) for refusal in group} - {None}
    others = list[tuple[str, Explanation | None]]()
    for refusal in group:
        for blocking in query.failing_conditions(refusal):
            text, question = words.sentence(blocking.text), _question(blocking.explanation)
            if text not in texts and question not in questions:
                others.append((text, blocking.explanation))
                texts.add(text)
                questions |= {question} - {None}
    return others


def _question(explanation: Explanation | None) -> Question | None:
    """Return the question of an explanation."""
    return (explanation.term, explanation.arguments) if explanation else None


def _reasons_of(game: Game, state: State, refusal: ActionRefusal) -> tuple[str, ...]:
    """Return the lines of the explanation of a refusal, without its first sentence.

    An auxiliary rule that decides a question of the refusing rules is followed to the printed rules that it passes on.
    """
    if not refusal.action or not refusal.explanation:
        return ()
    found = refusal.explanation
    deep = explainer_of(game).explain_fully(state, found.term, found.arguments, DEPTH)
    followed = deciding_rules_first(follow_auxiliary_rules(deep, 1))
    reasons = explanation_text(followed).split("\n\nNot so:")[0].splitlines()
    first = words.sentence(found.sentence)
    after_first = [line for line in reasons if line != first or words.sentence(refusal.reason) != first]
    return (*after_first, *(f"  {line}" for line in missed_permissions(deep)))


def explainer_of(game: Game) -> Explainer:
    """Return an explainer that answers by generated code, and follows only what decided."""
    return Explainer(Interpreter(game.graph, elsewhere=game.evaluator.evaluator.ask), contrary=True)
