"""Rows about questions of the rules: each with all its arguments, its answer and the rules that decide it.

In: a state as a reader may know it, a question and its arguments. Out: a `Row`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from math import prod
from typing import NamedTuple

from rulewright.explain.auxiliary_rules import deciding_rules_first
from rulewright.explain.finder.bindings import Binding
from rulewright.explain.finder.row import QUESTION, Row
from rulewright.explain.position_questions import (
    definition_text,
    explain_question,
    missing_requirements,
    unknown_reason,
)
from rulewright.library.generated_code import delegating_interpreter
from runtime.answer.answer_block import AnswerBlockBuilder, plain_block
from runtime.answer.value_text import unanswered_reason, value_as_name
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.graph.document import DocumentBlock, DocumentTag
from runtime.graph.phrases import PREPOSITIONAL_NAMES
from runtime.graph.question_templates import fill_template
from runtime.play.rule_faults import budget_message
from runtime.state.position import State
from runtime.state.record import Value

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# A reading of which the verb stands before its subject in a question.
_LEADING = re.compile(
    r"(?P<subject>[^{}]*\{\w+\}|[^{}]+?) (?P<verb>may|can|could|must|is|are|has|have|was|were) (?P<rest>.*)"
)


class SideView(NamedTuple):
    """Who reads the answers, as `ask --as` names it, and the types of secret records that are left out of the state."""

    side: str
    left_out: tuple[str, ...] = ()


class _CallAnswer(NamedTuple):
    """The answer to one call: its value, its block, and what tells whether another call has the same.

    `arguments` are as people name them.
    """

    call: str
    arguments: tuple[str, ...]
    value: Value
    block: DocumentBlock
    key: tuple[object, ...]


class QuestionRows:
    """The rows of questions in one state."""

    def __init__(self, state: State, view: SideView) -> None:
        """Store the state and who reads the answers."""
        self.state, self.view = state, view
        self.answers, self.blocks = delegating_interpreter(state.graph), AnswerBlockBuilder(state.graph)

    def row(self, term: graph.Term, binding: Binding, score: float) -> Row:
        """Return the row of a question with the values of a binding."""
        found = [self._answer(term, call) for call in binding.calls]
        blocks = list[DocumentBlock]()
        for same in _groups(found):
            text = _shared_arguments(term, same, found)
            tags = (DocumentTag(f"for {text}", "arguments"),) if text else ()
            blocks.append(replace(same[0].block, tags=tags))
        values = {each.value for each in found if isinstance(each.value, bool)}
        is_open = next(iter(values)) if len(values) == 1 else None
        calls = tuple(each.call for each in found)
        return Row(QUESTION, term.name, self._heading(term, binding), tuple(blocks), score, calls, is_open=is_open)

    def _heading(self, term: graph.Term, binding: Binding) -> str:
        """Return a question with its arguments; behind it those that are several, or that its reading does not name."""
        texts, others = list[str](), list[str]()
        for each, values in zip(term.parameters, binding.values, strict=True):
            names = [value_as_name(self.state, value, each.type) for value in values]
            is_noun = len(each.name) > 1 and each.name not in PREPOSITIONAL_NAMES
            noun = words.readable_name(each.name) if is_noun else _noun(each, self.state.graph.vocabulary)
            any_text = noun if isinstance(each.type, graph.Number) else f"each {noun}"
            texts.append(names[0] if len(names) == 1 else any_text)
            if len(names) > 1 or f"{{{each.name}}}" not in term.reads:
                others.append(f"{noun}: {words.list_text(names, 'or')}")
        question = _question_text(term, texts)
        return f"{question} ({'; '.join(others)})" if others else question

    def _answer(self, term: graph.Term, values: Sequence[Value]) -> _CallAnswer:
        """Answer one call of a question, unless it hangs on a secret, or the position lacks a fact that it reads."""
        state = self.state
        pairs = [*zip(term.parameters, values, strict=True)]
        arguments = tuple(value_as_name(state, value, each.type) for each, value in pairs)
        written = (_written(name, each.type, value) for name, (each, value) in zip(arguments, pairs, strict=True))
        call, explanation = f"{term.name}({', '.join(written)})", None
        ask = graph.Ask(term.name, tuple(graph.Var(parameter.name) for parameter in term.parameters))
        names = {each.name: given for each, given in pairs}
        try:
            reason = unknown_reason(state, ask, names, *self.view)
            if missing := next(missing_requirements(self.answers, state, graph.Ask(term.name, ())), None):
                reason = f"`{missing[0].name}` is required, and the position has none: {missing[1].why}"
            if not reason:
                explanation = explain_question(self.answers, state, term.name, tuple(values), 0)
        except Unanswered as unanswered:
            reason = unanswered_reason(state, unanswered)
        except TooMuchWork:
            reason = budget_message()
        if explanation is None:
            return _CallAnswer(call, arguments, None, plain_block(f"Not answered: {reason.rstrip('.')}."), (reason,))
        figures = definition_text(self.answers, state, term.name, tuple(values))
        block = self.blocks.block(deciding_rules_first(explanation), filter(None, [figures]))
        rules = tuple(each.label for each in explanation.applied_rules())
        return _CallAnswer(call, arguments, explanation.value, block, (explanation.value, rules, figures))


def unasked_row(rules: graph.Graph, term: graph.Term, score: float) -> Row:
    """Return the row of a question without arguments: its reading says what they are, its call their names."""
    texts = list[str]()
    for parameter in term.parameters:
        text = words.article(_noun(parameter, rules.vocabulary))
        texts.append(f"another {text.partition(' ')[2]}" if text in texts else text)
    call = f"{term.name}({', '.join(parameter.name for parameter in term.parameters)})"
    return Row(QUESTION, term.name, _question_text(term, texts), (), score, (call,))


def _noun(parameter: graph.Parameter, vocabulary: graph.Vocabulary) -> str:
    if isinstance(parameter.type, graph.Piece):
        return words.kinds(parameter.type.kinds, vocabulary)
    return words.with_space_nouns(words.choice_words("", parameter.type), vocabulary)


def _question_text(term: graph.Term, arguments: Sequence[str]) -> str:
    """Return a question with these texts in the place of its parameters."""
    text = fill_template(_question_template(term), term.parameters, tuple(arguments))
    return f"{words.sentence(text).rstrip('.')}?"


def _question_template(term: graph.Term) -> str:
    """Return the reading of a question as one asks it aloud."""
    if not isinstance(term.type, graph.YesNo):
        return term.reads
    parts = _LEADING.fullmatch(term.reads)
    return f"{parts['verb']} {parts['subject']} {parts['rest']}" if parts else f"is it so that {term.reads}"


def _groups(found: Sequence[_CallAnswer]) -> Iterator[list[_CallAnswer]]:
    """Yield the calls that have the same answer by the same rules."""
    by_key = dict[tuple[object, ...], list[_CallAnswer]]()
    for each in found:
        by_key.setdefault(each.key, []).append(each)
    yield from by_key.values()


def _shared_arguments(term: graph.Term, same: Sequence[_CallAnswer], found: Sequence[_CallAnswer]) -> str:
    """Return the arguments for which an answer holds, unless it holds for all or its sentence has the only one.

    Where they are all combinations of some values, those of each parameter are listed by themselves.
    """
    columns = [[*dict.fromkeys(column)] for column in zip(*(each.arguments for each in same), strict=True)]
    all_columns = [set(column) for column in zip(*(each.arguments for each in found), strict=True)]
    if prod(map(len, columns)) == len(same):
        texts = []
        for parameter, column, whole in zip(term.parameters, columns, all_columns, strict=True):
            is_stated = len(column) == 1 and f"{{{parameter.name}}}" in term.reads
            if set(column) != whole and not is_stated:
                texts.append(words.list_text(column, "or"))
        return "; ".join(texts)
    is_varied = [len(whole) > 1 for whole in all_columns]
    return words.list_text([" ".join(compress(each.arguments, is_varied)) for each in same], "or")


def _written(name: str, type_: graph.Type, value: Value) -> str:
    """Return an argument as the language writes it."""
    if isinstance(type_, graph.Piece | graph.Hex):
        return name if _IDENTIFIER.fullmatch(name) else f"'{name}'"
    return str(value)
