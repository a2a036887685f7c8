"""Answers that hang on a dispute: another reading of the sources would give another answer.

In: an interpreter, a state and a question. Out: the readings that were not chosen and under which the question has
another answer, with that answer. The question is asked once more under each of them, by a graph with the rules of that
reading in place of those of the chosen one. What a reading changes in procedures changes no answer. Where an answer
reads a chart that a reading changes, or passes over too many members (budget.py), it is not compared, and the dispute
is returned with that reason.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from runtime.answer.answer import Answer
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import answer_text, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.graph.closure import topological_order
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.read_sets import reads_of
from runtime.graph.related_procedures import LIFTING
from runtime.graph.walk import walk
from runtime.state.position import State
from runtime.state.record import Value


@frozen_dataclass
class DisputedAnswer:
    """A dispute on which an answer hangs: the reading that is followed, another one, and the answer under that.

    Where that is not known, `other_answer` is "" and `untried` says why.
    """

    dispute: str
    question: str
    followed: str
    other: str
    other_answer: str
    cites: tuple[str, ...]
    untried: str = ""


@frozen_dataclass
class _OtherReading:
    """A reading that is not chosen, its rules as a graph, and the terms whose rules and the charts that differ."""

    dispute: graph.Dispute
    reading: graph.Reading
    rules: graph.Graph
    terms: frozenset[str]
    charts: frozenset[str]


def disputed_answers(
    answers: Interpreter, state: State, name: str, arguments: tuple[Value, ...]
) -> tuple[DisputedAnswer, ...]:
    """Return the disputes on which the answer to a question hangs."""
    if (name, arguments) in answers.pinned_answers:
        return ()
    term = answers.graph.terms[name]

    def value(interpreter: Interpreter) -> Value:
        return interpreter.ask(state, name, arguments).value

    return _disputes_on(answers, (name,), (), value, lambda answer: answer_text(state, term, answer))


def disputed_values(
    answers: Interpreter, state: State, expr: graph.Expr, type_: graph.Type
) -> tuple[DisputedAnswer, ...]:
    """Return the disputes on which the value of an expression hangs."""

    def value(interpreter: Interpreter) -> Value:
        return interpreter.evaluate(state, expr, {})

    nodes = tuple(walk(expr))
    terms = reads_of(answers.graph).called_terms(nodes)
    return _disputes_on(answers, terms, nodes, value, lambda answer: value_text(state, answer, type_))


def _disputes_on(
    answers: Interpreter,
    terms: Iterable[str],
    nodes: Iterable[object],
    value_by: Callable[[Interpreter], Value],
    text_of: Callable[[Value], str],
) -> tuple[DisputedAnswer, ...]:
    """Return the disputes on which a value hangs that asks these terms and reads these nodes."""
    reached_terms = reads_of(answers.graph).terms_reached(terms)
    disputed: list[DisputedAnswer] = []
    for other in _other_readings(answers.graph):
        changed_charts = other.charts and other.charts & _charts_read(answers.graph, reached_terms, nodes)
        if changed_charts:
            disputed.append(_untried(other, f"it changes {words.list_text(sorted(changed_charts))}"))
        elif not other.terms.isdisjoint(reached_terms):
            try:
                disputed += _disputed_value(answers, other, value_by, text_of)
            except TooMuchWork:
                disputed.append(_untried(other, "the question passes over too many members"))
    return tuple(disputed)


def _charts_read(rules: graph.Graph, terms: Iterable[str], nodes: Iterable[object]) -> frozenset[str]:
    """Return the charts of which terms or nodes read cells."""
    read_nodes = list(nodes)
    for term in terms:
        read_nodes += walk(reads_of(rules).answer_bodies(term))
    return frozenset(node.table for node in read_nodes if isinstance(node, graph.Cell))


def _disputed_value(
    answers: Interpreter,
    other: _OtherReading,
    value_by: Callable[[Interpreter], Value],
    text_of: Callable[[Value], str],
) -> Iterator[DisputedAnswer]:
    """Yield the value under another reading if it differs; "none" where the rules have no answer then."""
    try:
        other_value = value_by(_interpreter_of_reading(answers, other))
    except Unanswered:
        text = "none"
    else:
        if other_value == value_by(answers):
            return
        text = text_of(other_value)
    yield replace(_untried(other, ""), other_answer=text)


def _untried(other: _OtherReading, reason: str) -> DisputedAnswer:
    """Return a dispute under whose other reading the answer is not known."""
    dispute = other.dispute
    followed = next(each.label for each in dispute.readings if each.chosen)
    return DisputedAnswer(dispute.label, dispute.question, followed, other.reading.label, "", dispute.cites, reason)


def _interpreter_of_reading(answers: Interpreter, other: _OtherReading) -> Interpreter:
    """Return an interpreter under another reading, which delegates what does not reach a changed term."""
    reads = reads_of(answers.graph)  # Before the first changed term, the terms ask the same.

    def ask_unchanged(state: State, name: str, arguments: tuple[Value, ...]) -> Answer | None:
        is_changed = not other.terms.isdisjoint(reads.terms_reached([name]))
        return None if is_changed else answers.ask(state, name, arguments)

    return Interpreter(other.rules, answers.pinned_answers, memo=AnswerMemo(other.rules), elsewhere=ask_unchanged)


# Each question at the table asks about the readings of one graph.
@memoized_by_identity()
def _other_readings(rules: graph.Graph) -> tuple[_OtherReading, ...]:
    """Return the readings of a graph that are not chosen and change answers."""
    readings: list[_OtherReading] = []
    for dispute in rules.disputes.values():
        chosen_labels = {label for reading in dispute.readings if reading.chosen for label in reading.rules}
        others = [reading for reading in dispute.readings if not reading.chosen]
        readings += [_with_reading(rules, dispute, reading, chosen_labels) for reading in others]
    return tuple(readings)


def _with_reading(
    rules: graph.Graph, dispute: graph.Dispute, reading: graph.Reading, chosen_labels: Collection[str]
) -> _OtherReading:
    """Return a graph with the rules of a reading in place of those of the chosen one."""
    laws = {label: rule for label, rule in rules.rules.items() if label not in chosen_labels}
    laws |= {law.label: law for law in reading.laws}
    for law in reading.laws:
        _relate_law(rules, dispute, law, laws)
    changed_terms = {}
    for name, term in rules.terms.items():
        added_labels = [law.label for law in reading.laws if name in law.terms]
        if added_labels or not set(chosen_labels).isdisjoint(term.rules):
            remaining_labels = [label for label in term.rules if label in laws]
            changed_terms[name] = replace(term, rules=_ordered([*remaining_labels, *added_labels], laws))
    charts = set(reading.charts)
    for chosen in dispute.readings:
        if chosen.chosen:
            charts.update(chosen.charts)
    other = replace(rules, rules=laws, terms=rules.terms | changed_terms)
    return _OtherReading(dispute, reading, other, frozenset(changed_terms), frozenset(charts))


def _relate_law(rules: graph.Graph, dispute: graph.Dispute, law: graph.Rule, laws: dict[str, graph.Rule]) -> None:
    """Insert what an added rule defeats, and into other rules that they defeat it."""
    laws[law.label] = replace(law, defeats=tuple(_targets(rules, dispute, law, laws)))
    for label, rule in laws.items():
        if label != law.label and law.label in _targets(rules, dispute, rule, {law.label: law}):
            laws[label] = replace(rule, defeats=(*rule.defeats, law.label))


def _targets(
    rules: graph.Graph, dispute: graph.Dispute, rule: graph.Rule, candidates: Mapping[str, graph.Rule]
) -> Iterator[str]:
    """Yield the labels of the candidates that a rule of the same question defeats, by its relations as written."""
    related_labels = {label for verb, label in rule.relations if verb in LIFTING}
    if not related_labels:
        return
    for label, candidate in candidates.items():
        is_same_question = not set(rule.terms).isdisjoint(candidate.terms)
        if label == rule.label or not is_same_question:
            continue
        if not related_labels.isdisjoint(_names_of_law(rules, dispute, candidate)):
            yield label


def _names_of_law(rules: graph.Graph, dispute: graph.Dispute, law: graph.Rule) -> set[str]:
    """Return the labels by which a relation may refer to a rule: its own, and those of what it is in or replaces."""
    names = {law.label, law.ruling, law.reading, *_cases_around(rules, law)}
    names |= {old for verb, old in law.relations if verb == "replaces"}
    if law.reading in {reading.label for reading in dispute.readings}:
        names.add(dispute.label)
    return names


def _cases_around(rules: graph.Graph, rule: graph.Rule) -> Iterator[str]:
    """Yield the cases in which a rule stands, the innermost first."""
    case = rule.case
    while case:
        yield case
        case = rules.cases[case].parent if case in rules.cases else ""


def _ordered(labels: Collection[str], laws: Mapping[str, graph.Rule]) -> tuple[str, ...]:
    """Return the labels of the rules of a term, defeaters before what they defeat."""
    defeaters: dict[str, list[str]] = {label: [] for label in labels}
    for label in defeaters:
        for target in laws[label].defeats:
            if target in defeaters:
                defeaters[target].append(label)
    return tuple(topological_order(defeaters))
