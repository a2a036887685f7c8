"""Evaluate questions about positions.

In: a compiled stack, a position file and the text of a question. Out: a `QuestionResult`: the answer with its reasons,
or the diagnostics.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import Any

from compiler.analysis.facts_read import facts_read
from compiler.compile import Problem as CompileProblem
from compiler.layered.citations import HOUSE
from compiler.question import WHERE, type_question
from compiler.report.answers import TooMuchToAnswer
from compiler.report.bounded import truncated_text
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source import nodes as source
from compiler.source.lazy_table import RecordingTable
from compiler.source.nodes import Position
from compiler.source.package import read_document
from compiler.typed.environment import Environment
from compiler.typed.problems import MissingFact
from compiler.typed.situations.required_facts import first_requirement, missing_fact
from compiler.typed.source_lists import span_of_list
from rulewright.auxiliary_rules import follow_auxiliary_rules
from rulewright.faults import fault_of
from rulewright.library.generated_code import quick_interpreter
from rulewright.library.stacks import PackageSet, Stack
from runtime.answer.answer import Unanswered
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.explanation_text import as_json, explanation_paragraphs
from runtime.answer.interpreter import Interpreter
from runtime.answer.reads import reads_of
from runtime.answer.value_text import value_data, value_text
from runtime.graph import nodes as graph
from runtime.graph.budget import SLOW, TooMuchWork, budget_limit, open_budget
from runtime.graph.walk import walk
from runtime.graph.words import list_text
from runtime.play.pair_endings import end_pairs
from runtime.state.position import State
from runtime.state.position_parts import record_slots
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.state.visibility import view_of_side


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer: as data with the keys of `ask --format json`, and as text."""

    data: dict[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The result of a question: its answer, or diagnostics with the texts they quote."""

    answer: WrittenAnswer | None
    diagnostics: list[Diagnostic]
    texts: Mapping[str, str]


def ask_about_position(stack: Stack, file: Path, question: str, depth: int = 0, side: str = "") -> QuestionResult:
    """Answer a question about the position in a file; explain `depth` levels of questions behind it.

    With a side, the answer is based on its knowledge, without the secret records of others.
    """
    position, problems = read_document(file, source.Position)
    texts = quotable_texts(stack, file, question)
    if position is None or problems:
        return QuestionResult(None, diagnose(problems, texts), texts)
    return answer_question(stack, position, question, depth, texts, side)


@dataclass(frozen=True, slots=True)
class PositionResult:
    """The state of a position file, or diagnostics with the texts they quote."""

    state: State | None
    diagnostics: list[Diagnostic]
    texts: Mapping[str, str]


def state_of_file(stack: Stack, file: Path, side: str = "") -> PositionResult:
    """Return the state of a position file; with a side, as it knows it."""
    assert stack.graph
    assert stack.env
    position, problems = read_document(file, source.Position)
    texts = quotable_texts(stack, file)
    if position is None or problems:
        return PositionResult(None, diagnose(problems, texts), texts)
    boards = RecordingTable(stack.library.boards)
    typed_question = type_question(stack.env, boards, position, "yes")
    if found := (*typed_question.problems, *boards.problems):
        return PositionResult(None, diagnose(found, texts), texts)
    state = from_position(stack.graph, typed_question.position)
    if side:
        state = view_of_side(state, side)
    try:
        with open_budget(SLOW):
            end_pairs(stack.graph, state, quick_interpreter(stack.graph))
    except TooMuchWork:
        problem = TooMuchToAnswer(position.name.text, budget_limit() // SLOW, None)
        return PositionResult(None, diagnose([problem], texts), texts)
    except Unanswered as unanswered:
        return PositionResult(None, diagnose([fault_of(unanswered, state)], texts), texts)
    return PositionResult(state, [], texts)


def quotable_texts(stack: Stack, file: Path, question: str = "") -> Mapping[str, str]:
    """Return the texts that findings about a question may quote."""
    return PackageSet(stack.library, ()).texts(file).with_others({WHERE: question})


def answer_question(
    stack: Stack, position: Position, question: str, depth: int, texts: Mapping[str, str], side: str
) -> QuestionResult:
    """Answer a question about a parsed position."""
    assert stack.graph
    assert stack.env
    boards = RecordingTable(stack.library.boards)
    typed_question = type_question(stack.env, boards, position, question)
    problems: tuple[CompileProblem, ...] = (*typed_question.problems, *boards.problems)
    if typed_question.expression is None or typed_question.type is None or problems:
        return QuestionResult(None, diagnose(problems, texts), texts)
    missing = tuple(
        _missing_facts(stack.graph, stack.env, position, typed_question.position, typed_question.expression)
    )
    if missing:
        return QuestionResult(None, diagnose(missing, texts), texts)
    state = from_position(stack.graph, typed_question.position)
    if side:
        state = view_of_side(state, side)
    try:
        with open_budget(SLOW):
            end_pairs(stack.graph, state, quick_interpreter(stack.graph))
            answer = _answer(stack.graph, state, typed_question.expression, typed_question.type, question, depth)
            return QuestionResult(_as_known(stack.graph, answer, typed_question.expression, side), [], texts)
    except TooMuchWork:
        origin = (
            stack.graph.terms[typed_question.expression.term].origin
            if isinstance(typed_question.expression, graph.Ask)
            else None
        )
        return QuestionResult(None, diagnose([TooMuchToAnswer(question, budget_limit() // SLOW, origin)], texts), texts)
    except Unanswered as unanswered:
        return QuestionResult(None, diagnose([fault_of(unanswered, state)], texts), texts)


def _as_known(rules: graph.Graph, answer: WrittenAnswer, expression: graph.Expr, side: str) -> WrittenAnswer:
    """Return an answer for a side, with the secret records that it reads, and of which the side knows its own alone."""
    if not side:
        return answer
    parts = reads_of(rules).reads_of_nodes(tuple(walk(expression)))
    secret = [name for name, record in rules.vocabulary.records.items() if record.secret]
    hidden_records = sorted(name for name in secret if record_slots(name) in parts)
    if not hidden_records:
        return answer
    listed = list_text([f"`{name}`" for name in hidden_records])
    note = f"This is what `{side}` knows: any {listed} of other sides is left out."
    return WrittenAnswer({**answer.data, "as": side, "left_out": hidden_records}, f"{answer.text}\n\n{note}")


def _missing_facts(
    rules: graph.Graph, env: Environment, position: Position, graph_position: graph.Position, expression: graph.Expr
) -> Iterator[MissingFact]:
    """Return the required facts without an initial value that a question reads and its position does not set."""
    facts = dict(graph_position.facts)
    tracks = rules.vocabulary.tracks
    place = span_of_list([word.span for word, _ in position.game]) if position.game else position.name.span
    for name in facts_read(rules, (expression,)):
        track = tracks.get(name)
        if track is None or name in facts or track.initial is not None:
            continue
        if (demand := first_requirement(tracks, track, facts, frozenset())) is not None:
            yield missing_fact(env, track, demand, place, ("position", position.name.text), empty=False)


def _with_reasons_of_auxiliary_rules(answers: Interpreter, state: State, explanation: Explanation) -> Explanation:
    """Add to each applied rule that only passes on another answer (`[house]`) the rules behind that answer."""
    if not any(clause.cites == (HOUSE,) for clause in explanation.applied_rules()):
        return explanation
    deeper = Explainer(answers, with_failed=False).explain(state, explanation.term, explanation.arguments, 3)
    reasons = {clause.label: clause.explanations for clause in follow_auxiliary_rules(deeper).clauses}
    return replace(
        explanation,
        clauses=tuple(replace(each, explanations=reasons.get(each.label, ())) for each in explanation.clauses),
    )


def explain_question(
    rules: graph.Graph, state: State, term: str, values: tuple[Value, ...], depth: int = 0
) -> Explanation:
    """Explain the answer to a question; raises `Unanswered`. `depth` as for `ask_about_position`."""
    answers = quick_interpreter(rules)
    explanation: Explanation = Explainer(answers).explain(state, term, values, depth)
    if not depth and explanation.form in ("verdict", "condition"):
        explanation = _with_reasons_of_auxiliary_rules(answers, state, explanation)
    return explanation


def _answer(
    rules: graph.Graph, state: State, expression: graph.Expr, type_: graph.Type, question: str, depth: int
) -> WrittenAnswer:
    """Evaluate an expression, with an explanation if it is a question."""
    answers = quick_interpreter(rules)
    if isinstance(expression, graph.Ask):
        values = tuple(answers.evaluate(state, argument, {}) for argument in expression.arguments)
        explanation = explain_question(rules, state, expression.term, values, depth)
        return WrittenAnswer(as_json(state, explanation), explanation_paragraphs(explanation))
    value = answers.evaluate(state, expression, {})
    text = value_text(state, value, type_)
    summary, explanations = Explainer(answers).explain_expression(state, expression, depth)
    text = f"{text}: {truncated_text(summary)}" if summary else text
    data = {"question": question, "value": value_data(state, value, type_), "text": text, "because": [], "not": []}
    data |= {"behind": [as_json(state, each) for each in explanations]} if explanations else {}
    return WrittenAnswer(
        data, "\n".join((text, *(indent(explanation_paragraphs(each), "  ") for each in explanations)))
    )
