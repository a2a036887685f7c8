"""Format a contradiction or a broken fact for inspection: the step, the reason, and the position.

The input is what an audit found; the output is sentences, the question as `ask` accepts it, and a position file.
"""

from collections.abc import Mapping

from runtime.answer.conditions import failing_clause
from runtime.answer.explain import Explanation
from runtime.answer.value_text import bracketed_citations, value_text
from runtime.audit.audited_machine import Contradiction
from runtime.audit.fact_monitor import BrokenFact, ExecutedStep
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.related_procedures import procedure_label
from runtime.graph.step_titles import step_title
from runtime.graph.type_of import type_of
from runtime.graph.wording import Wording
from runtime.play.pending_items import EndOfMoment, Expiry
from runtime.state.position import State
from runtime.state.record import Value
from runtime.witness.candidate import with_piece_names
from runtime.witness.pool import literal_text
from runtime.witness.position_file import ask_text, position_file
from runtime.witness.snapshot import take_snapshot


@frozen_dataclass
class ContradictionText:
    """A contradiction as text.

    `because` are sentences: rules with their sources, or what failed. `question` is "" where the precondition cannot be
    expressed as one question for `ask`. `file` is a position file, `left_out` what it does not contain. For a broken
    fact, `precondition` is its label, and the position that after the step.
    """

    precondition: str
    procedure: str
    step: str
    sentence: str
    because: tuple[str, ...]
    question: str
    file: str
    left_out: tuple[str, ...]


def contradiction_text(found: Contradiction, name: str) -> ContradictionText:
    """Format a contradiction; `name` is the name of its position."""
    position, names, left_out = take_snapshot(found.state, found.board, name)
    left_out += ("the answers that the example pins",) if found.answers.pinned_answers else ()
    return ContradictionText(
        found.precondition.label,
        procedure_label(found.key),
        step_title(found.step),
        *_failed_conditions(found),
        question_text(found.failed_condition, found.values, found.state, names),
        position_file(position, found.state.graph.vocabulary) if position else "",
        left_out,
    )


def broken_fact_text(found: BrokenFact, name: str) -> ContradictionText:
    """Format a broken fact; `name` is the name of its position."""
    state, condition = found.state, found.fact.condition
    position, names, left_out = take_snapshot(state, found.board, name)
    source = condition.source if isinstance(condition, graph.Fold) else None
    member = None if source is None else member_of(type_of(source, {}, state.graph))
    texts = (value_text(state, each, member) for each in found.culprits if member is not None)
    culprits = tuple(names.get(each, each) for each in texts)
    return ContradictionText(
        found.fact.label,
        procedure_label(found.key),
        _executed_text(found.step),
        f"It held before and does not hold after{f': {words.list_text(culprits)}' if culprits else ''}.",
        culprits,
        "",
        position_file(position, state.graph.vocabulary) if position else "",
        left_out,
    )


def _executed_text(step: ExecutedStep | None) -> str:
    """Format what broke a fact, in short."""
    match step:
        case None:
            return "the end of a relation"
        case EndOfMoment(moment) | Expiry(moment):
            return f"end of {moment}"
        case graph.Phase(phase):
            return f"phase {phase}"
        case graph.Each(name):
            return f"next {name}"
        case _:
            return step_title(step)


def _failed_conditions(found: Contradiction) -> tuple[str, tuple[str, ...]]:
    """Return what did not hold, and by which rules."""
    if found.problem:
        return f"What it needs cannot be answered: {found.problem}.", ()
    if found.explanation is not None:
        return words.sentence(found.explanation.sentence), _reason_sentences(found.explanation)
    types: dict[str, graph.Type] = {"player": SIDE, **{each.name: each.type for each in found.precondition.parameters}}
    known = {name: type_ for name, type_ in types.items() if name in found.names}
    state, answers, bindings = found.state, found.answers, found.names

    def text_of_value(expr: graph.Expr) -> str:
        return value_text(state, answers.evaluate(state, expr, bindings), type_of(expr, known, state.graph))

    calls = {name: value_text(state, bindings[name], declared_type) for name, declared_type in known.items()}
    wording = Wording(state.graph, calls, known)
    return words.sentence(failing_clause(found.failed_condition, wording, text_of_value)), ()


def _reason_sentences(explanation: Explanation) -> tuple[str, ...]:
    """Return the rules behind an answer with their sources; without any the default."""
    applied = tuple(
        f"{each.label}{bracketed_citations(each.cites)}: {each.prose or words.sentence('; '.join(each.reasons))}"
        for each in explanation.applied_rules()
    )
    return applied or ((words.sentence(explanation.default),) if explanation.default else ())


def question_text(question: graph.Expr, values: tuple[Value, ...], state: State, names: Mapping[str, str]) -> str:
    """Format a question about values; "" if it is not a question, or its arguments have no text."""
    match question:
        case graph.Ask(term, _) if values:
            called_term = state.graph.terms[term]
            parameters = called_term.parameters
            texts = (literal_text(value, part.type, state) for value, part in zip(values, parameters, strict=True))
            arguments = tuple(with_piece_names(text, names) for text in texts if text is not None)
            return ask_text(called_term, arguments) if len(arguments) == len(parameters) else ""
        case _:
            return ""
