"""Evaluate questions about positions.

In: a compiled stack, a position file and the text of a question. Out: a `_QuestionResult`: the answer with its reasons,
or the diagnostics.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from compiler.analysis.facts_read import facts_read
from compiler.question import WHERE, TypedQuestion, type_question
from compiler.report.bounded import truncated_text
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.findings.unanswered_questions import TooMuchToAnswer
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.lazy_table import RecordingTable
from compiler.source.nodes import Position
from compiler.source.package import read_document
from compiler.typed.environment import Environment
from compiler.typed.findings.invalid_constructs import MissingFact
from compiler.typed.situations.required_facts import missing_fact
from compiler.typed.source_lists import span_of_list
from rulewright.explain.auxiliary_rules import deciding_rules_first, follow_auxiliary_rules
from rulewright.games.faults import fault_of
from rulewright.library.generated_code import delegating_interpreter
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.errors import UsageError
from runtime.answer.answer_block import AnswerBlockBuilder, figures_line, plain_block
from runtime.answer.condition_explainer import ConditionExplainer
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.explanation_record import as_json, dispute_data
from runtime.answer.interpreter import Interpreter
from runtime.answer.other_readings import disputed_values
from runtime.answer.recording import recording_interpreter
from runtime.answer.secrecy import secrets_behind
from runtime.answer.single_expressions import sole_expression
from runtime.answer.value_text import value_as_name, value_data, value_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import SLOW, TooMuchWork, budget_limit, open_budget
from runtime.graph.document import DocumentBlock
from runtime.graph.document_text import block_text
from runtime.graph.english import agreeing_verb
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.predeclared_types import SIDE
from runtime.graph.printed_cites import HOUSE
from runtime.graph.read_sets import reads_of
from runtime.graph.slots import PositionSlot
from runtime.graph.step_questions import step_parameters
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from runtime.graph.words import list_text, sentence
from runtime.play.pair_endings import end_pairs, ends_of
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.state.visibility import secret_types, view_of_side

# The most pairs that end at once, of which is said why.
MOST_ENDED = 3
# Who knows the secrets of all sides.
UMPIRE = "umpire"
COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


@frozen_dataclass
class _WrittenAnswer:
    """An answer: as data with the keys of `ask --format json`, and for people as a block."""

    data: dict[str, Any]
    block: DocumentBlock

    @property
    def text(self) -> str:
        """Return the whole block as text."""
        return block_text(self.block)


@frozen_dataclass
class _QuestionResult:
    """The result of a question: its answer, or diagnostics with the texts they quote."""

    answer: _WrittenAnswer | None
    diagnostics: list[Diagnostic]
    texts: Mapping[str, str]


class SetUpQuestion(NamedTuple):
    """A question about a position, and its state; None with the diagnostics of both texts, and the texts they quote.

    `ended` are sentences about the pairs of the position that end at once, `left_out` the types of the secret records
    that the position has and the reader does not know.
    """

    question: TypedQuestion | None
    state: State | None
    diagnostics: list[Diagnostic]
    texts: Mapping[str, str]
    ended: str = ""
    left_out: tuple[str, ...] = ()


def set_up_file(stack: Stack, file: Path, text: str = "", side: str = "") -> SetUpQuestion:
    """Read a position file, and set it up with a question, as `side` knows it; without one as all sides do."""
    position, problems = read_document(file, source.Position)
    texts = quotable_texts(stack, file, text)
    if position is None or problems:
        return SetUpQuestion(None, None, diagnose(problems, texts), texts)
    return set_up_question(stack, position, texts, text, side)


def set_up_question(
    stack: Stack, position: Position, texts: Mapping[str, str], text: str = "", side: str = UMPIRE
) -> SetUpQuestion:
    """Type a question about a position, and build the state as a side knows it; pairs that end are removed.

    `UMPIRE` knows all, "" what all sides know. Without a text only the position is typed.
    """
    assert stack.graph
    assert stack.env
    boards = RecordingTable(stack.library.boards)
    question = type_question(stack.env, boards, position, text or "yes")
    if problems := (*question.problems, *boards.problems):
        return SetUpQuestion(question, None, diagnose(problems, texts), texts)
    state = from_position(stack.graph, question.position)
    if missing := _missing_facts(stack.env, position, state, question):
        return SetUpQuestion(question, None, diagnose(missing, texts), texts)
    left_out: tuple[str, ...] = ()
    if side != UMPIRE:
        seen = view_of_side(state, side)
        left_out = tuple(name for name in secret_types(stack.graph) if seen.records[name] != state.records[name])
        state = seen
    answers = delegating_interpreter(stack.graph)
    try:
        with open_budget(SLOW):
            ended = _end_pairs(stack.graph, state, answers)
    except (TooMuchWork, Unanswered) as raised:
        problem = _problem_of(raised, state, text or position.name.text, question.expression)
        return SetUpQuestion(question, None, diagnose([problem], texts), texts)
    return SetUpQuestion(question, state, [], texts, ended, left_out)


def _end_pairs(rules: graph.Graph, state: State, answers: Interpreter) -> str:
    """Remove the pairs that end, and return sentences about them: which, and why."""
    before = [
        (relation, pair, value)
        for relation in rules.vocabulary.relations.values()
        if relation.ends is not None
        for pair, value in state.pairs[relation.name].payload.items()
    ]
    tuple(end_pairs(rules, state, answers))
    sentences = []
    for relation, pair, value in before:
        if pair not in state.pairs[relation.name].payload:
            names = ends_of(relation, *pair, value)
            parameters = [relation.left, relation.right, *filter(None, (relation.payload,))]
            explainer = _condition_explainer(state, answers, parameters, names)
            pieces = list_text(
                [value_as_name(state, names[parameter.name], parameter.type) for parameter in parameters[:2]]
            )
            # The end of another pair may have removed the reason.
            holds = relation.ends is not None and answers.evaluate(state, relation.ends, names)
            reason = f", as {explainer.holding_text(relation.ends)}" if relation.ends and holds else ""
            sentences.append(f"`{relation.name}` of {pieces} ends at once{reason}.")
    more = [f"Others that end at once: {len(sentences) - MOST_ENDED}."] if len(sentences) > MOST_ENDED else []
    return " ".join((*sentences[:MOST_ENDED], *more))


def _condition_explainer(
    state: State, answers: Interpreter, parameters: Sequence[graph.Parameter], names: dict[str, Value]
) -> ConditionExplainer:
    """Return an explainer of conditions about the values of these parameters."""
    types = graph.parameter_types(parameters)
    calls = {name: value_as_name(state, names[name], type_) for name, type_ in types.items()}
    wording, (recording, _) = Wording(state.graph, calls, types), recording_interpreter(answers)
    return Explainer(answers).condition_explainer(state, names, wording, recording)


def definition_text(answers: Interpreter, state: State, term: str, values: Sequence[Value]) -> str:
    """Return the comparison that decides a question that is defined by one, with its figures; "" for any other."""
    question = state.graph.terms[term]
    meaning = sole_expression(question, state.graph)
    if not (isinstance(meaning, graph.Op) and meaning.op in COMPARISONS):
        return ""
    names = {each.name: value for each, value in zip(question.parameters, values, strict=True)}
    explainer = _condition_explainer(state, answers, question.parameters, names)
    holds = answers.evaluate(state, meaning, names) is True
    return sentence(explainer.holding_text(meaning) if holds else explainer.failing_text(meaning))


def quotable_texts(stack: Stack, file: Path, question: str = "") -> Mapping[str, str]:
    """Return the texts that findings about a question may quote."""
    return PackageSet(stack.library, ()).texts(file).with_others({WHERE: question})


def ask_about_position(stack: Stack, file: Path, text: str, depth: int, side: str = "") -> _QuestionResult:
    """Answer a question about the position in a file; explain `depth` levels of questions behind it.

    With a side, the answer is based on its knowledge, without the secret records of others; `UMPIRE` knows all. Raises
    `UsageError` if the answer hangs on what the side may not know, or without a side, if it reads a secret of any side.
    """
    question, state, diagnostics, texts, ended, left_out = set_up_file(stack, file, text, side)
    if question is None or state is None or question.expression is None or question.type is None:
        return _QuestionResult(None, diagnostics, texts)
    try:
        with open_budget(SLOW):
            _require_known(state, question.expression, text, side, left_out)
            hidden = _hidden_records(state.graph, question.expression, side)
            remarks = [*filter(None, (ended, _distant_step(state, question.expression)))]
            knowledge = [_knowledge_remark(side, hidden)] if hidden else []
            answer = _answer(state, question.expression, question.type, (*remarks, *knowledge), depth)
            answer.data.setdefault("question", text)
            answer.data.update({"note": " ".join(remarks)} if remarks else {})
            answer.data.update({"as": side, "left_out": hidden} if hidden else {})
        return _QuestionResult(answer, [], texts)
    except (TooMuchWork, Unanswered) as raised:
        return _QuestionResult(None, diagnose([_problem_of(raised, state, text, question.expression)], texts), texts)


def is_side(rules: graph.Graph, side: str) -> bool:
    """Return whether a name is that of a side."""
    return side in members_of(rules.vocabulary, SIDE.name)


def _require_known(state: State, expression: graph.Expr, text: str, side: str, left_out: Sequence[str]) -> None:
    """Raise `UsageError` if an answer may not be told to a side, or to nobody."""
    if reason := unknown_reason(state, expression, {}, side, left_out):
        raise UsageError(f"`{text}` {reason}")


def unknown_reason(
    state: State, expression: graph.Expr, names: Mapping[str, Value], side: str, left_out: Sequence[str]
) -> str:
    """Return why an answer may not be told to a side, or to nobody; "" if it may.

    To nobody no secret may be told, not even by the refusal: it is refused whatever the secret is.
    """
    types = secret_types(state.graph)
    if side == UMPIRE or not (side or left_out):
        return ""
    slots = reads_of(state.graph).reads_of_nodes(tuple(walk(expression)))
    read = [name for name in types if PositionSlot("records", name) in slots]
    if not read:
        return ""
    answers = delegating_interpreter(state.graph)

    def secrets_for(reader: str) -> list[str]:
        return secrets_behind(
            answers, state, reader, lambda imagined: answers.evaluate(imagined, expression, dict(names))
        )

    if side:
        hidden = list_text([f"`{name}`" for name in secrets_for(side)], "or")
        return f"is not answered for `{side}`: it hangs on the secret {hidden} of other sides" if hidden else ""
    known_to = [
        f"`--as {reader}`" for reader in members_of(state.graph.vocabulary, SIDE.name) if not secrets_for(reader)
    ]
    listed = list_text([f"`{name}`" for name in read], "or")
    choices = list_text([*known_to, f"`--as {UMPIRE}`, who knows all"], "or")
    return f"hangs on the secret {listed} of a side: say for whom it is answered, {choices}"


def _problem_of(raised: TooMuchWork | Unanswered, state: State, subject: str, expression: graph.Expr | None) -> Finding:
    """Return the problem of an evaluation that was not completed."""
    if isinstance(raised, Unanswered):
        return fault_of(raised, state)
    origin = state.graph.terms[expression.term].origin if isinstance(expression, graph.Ask) else None
    return TooMuchToAnswer(subject, budget_limit() // SLOW, origin)


def _distant_step(state: State, expression: graph.Expr) -> str:
    """Return that a question about a step names two spaces that are not neighbors; "" for any other.

    The rules of a step hold between neighbors: they forbid nothing to a distant hex, which no action moves to at once.
    """
    if not isinstance(expression, graph.Ask) or (step := step_parameters(state.graph, expression.term)) is None:
        return ""
    answers, parameters = delegating_interpreter(state.graph), state.graph.terms[expression.term].parameters
    given = dict(zip((parameter.name for parameter in parameters), expression.arguments, strict=True))
    here, there = (answers.evaluate(state, given[name], {}) for name in step)
    if here == there or state.board.adjacent(here, there):
        return ""
    names = f"{state.board.names[here]} and {state.board.names[there]}"
    return f"{names} are not next to each other, so no single step leads from one to the other."


def _hidden_records(rules: graph.Graph, expression: graph.Expr, side: str) -> list[str]:
    """Return the secret records that an answer reads, and of which a side knows its own alone."""
    if not is_side(rules, side):
        return []
    slots = reads_of(rules).reads_of_nodes(tuple(walk(expression)))
    secret = [name for name, record in rules.vocabulary.records.items() if record.secret]
    return sorted(name for name in secret if PositionSlot("records", name) in slots)


def _knowledge_remark(side: str, hidden: Sequence[str]) -> str:
    listed = list_text([f"`{name}`" for name in hidden])
    return f"This is what `{side}` knows: any {listed} of other sides is left out."


def _missing_facts(env: Environment, position: Position, state: State, question: TypedQuestion) -> list[MissingFact]:
    """Return the required facts that a question reads and its position does not set."""
    place = span_of_list([word.span for word, _ in position.game]) if position.game else position.name.span
    given = dict(question.position.facts)
    return [
        missing_fact(env, track, demand, place, ("position", position.name.text), empty=False)
        for track, demand in missing_requirements(delegating_interpreter(state.graph), state, question.expression)
        if f"{track.owner}.{track.name}" not in given
    ]


def missing_requirements(
    answers: Interpreter, state: State, expression: graph.Expr | None
) -> Iterator[tuple[graph.Track, graph.Requirement]]:
    """Yield the facts without a value that an expression reads, with the requirement that applies to each."""

    def applies(demand: graph.Requirement) -> bool:
        try:
            return demand.needed is None or answers.evaluate(state, demand.needed, {}) is True
        except Unanswered:
            return False

    for name in facts_read(state.graph, (expression,)) if expression is not None else ():
        track = state.graph.vocabulary.tracks.get(name)
        if track is None or track.initial is not None or state.facts[name] not in (None, ()):
            continue
        if demand := next((each for each in track.required if not each.asked and applies(each)), None):
            yield track, demand


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
    answers: Interpreter, state: State, term: str, values: tuple[Value, ...], depth: int
) -> Explanation:
    """Explain the answer to a question; raises `Unanswered`. `depth` as for `ask_about_position`."""
    explanation: Explanation = Explainer(answers).explain_fully(state, term, values, depth)
    if not depth and explanation.form in ("verdict", "condition"):
        explanation = _with_reasons_of_auxiliary_rules(answers, state, explanation)
        if explanation.default and explanation.value is False:
            explanation = _with_reasons_of_missed_rules(answers, state, explanation)
    return explanation


def _with_reasons_of_missed_rules(answers: Interpreter, state: State, explanation: Explanation) -> Explanation:
    """Add to each rule that would allow what no rule allows the questions behind its failing condition."""
    deeper = Explainer(answers, contrary=True).explain(state, explanation.term, explanation.arguments, 3)
    reasons = {clause.label: clause.explanations for clause in deeper.clauses if clause.would_reverse}
    clauses = (replace(each, explanations=reasons.get(each.label, each.explanations)) for each in explanation.clauses)
    return replace(explanation, clauses=tuple(clauses))


def _answer(
    state: State, expression: graph.Expr, type_: graph.Type, remarks: Sequence[str], depth: int
) -> _WrittenAnswer:
    """Evaluate an expression, with an explanation if it is a question."""
    answers, blocks = delegating_interpreter(state.graph), AnswerBlockBuilder(state.graph)
    if isinstance(expression, graph.Ask):
        values = tuple(answers.evaluate(state, argument, {}) for argument in expression.arguments)
        explanation = explain_question(answers, state, expression.term, values, depth)
        return _WrittenAnswer(as_json(state, explanation), blocks.block(deciding_rules_first(explanation), remarks))
    value = answers.evaluate(state, expression, {})
    summary, explanations = Explainer(answers).explain_expression(state, expression, depth)
    figures = [sentence(truncated_text(summary))] if summary else []
    disputed = disputed_values(answers, state, expression, type_)
    lines = (*map(figures_line, figures), *blocks.answer_lines(explanations), *map(blocks.dispute_line, disputed))
    text = _value_sentence(state, expression, value, type_)
    data = {"value": value_data(state, value, type_), "text": " ".join((text, *figures)), "because": [], "not": []}
    data |= {"behind": [as_json(state, each) for each in explanations]} if explanations else {}
    data["disputes"] = dispute_data(disputed)
    return _WrittenAnswer(data, plain_block(text, remarks, lines))


def _value_sentence(state: State, expression: graph.Expr, value: Value, type_: graph.Type) -> str:
    """Return the value of an expression in one sentence."""
    wording = Wording(state.graph)
    if isinstance(value, bool):
        return f"Yes. {sentence(wording.clause(expression))}" if value else (
            f"No. {sentence(wording.opposite_clause(expression))}"
        )  # fmt: skip
    phrase, text = wording.phrase(expression), value_text(state, value, type_)
    if phrase == text:
        return sentence(text)
    verb = ":" if isinstance(type_, graph.Many) else f" {agreeing_verb(phrase, 'is')}"
    return sentence(f"{phrase}{verb} {text}")
