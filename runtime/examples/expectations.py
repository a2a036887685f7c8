"""Comparison of an example's expectations with the answer and the live rules; the reason why a run stopped, as text."""

from collections.abc import Iterator, Set
from contextlib import suppress

from runtime.answer.expressions import Environment
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import VERDICT, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import AbsentError, NoGeometryError, OutOfRangeError, Unanswered
from runtime.graph.type_of import type_of
from runtime.graph.verbs import rule_answer
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.state.record import Value

ALLOWED = ("allowed", "holds")
# Of two values that read alike.
ANOTHER_RECORD = "another one: a record is equal only to itself, not to one with the same fields"


def value_difference(
    answers: Interpreter, state: State, line: graph.Check, found: tuple[Value, graph.Type], names: Environment
) -> tuple[str, str] | None:
    """Return (expected, actual) if a typed value differs from the expected one, else None."""
    value, type_ = found
    if line.verdict:
        is_allowed = line.verdict in ALLOWED
        return None if value == is_allowed else (line.verdict, VERDICT[value])
    if line.expected is None:
        return None
    expected = answers.evaluate(state, line.expected, names)
    if value == expected:
        return None
    expected_text, actual_text = (value_text(state, each, type_) for each in (expected, value))
    return (
        expected_text,
        f"{actual_text}, and that is {ANOTHER_RECORD}" if actual_text == expected_text else actual_text,
    )


def missing_rule(
    line: graph.Check, live: list[graph.Rule], applied: set[str], rules: graph.Graph
) -> tuple[str, str] | None:
    """Return (expected, actual) for the first rule that should have decided or applied and did not; None if all did."""
    answer = line.verdict in ALLOWED
    deciding = {rule.label for rule in live if rule_answer(rule) == answer}
    for label in line.by:
        if deciding.isdisjoint(rules_of_label(label, rules)):
            return f"{line.verdict} by {label}", f"{line.verdict} by {words.list_text(sorted(deciding)) or 'default'}"
    for label in line.because:
        if applied.isdisjoint(rules_of_label(label, rules)):
            return f"because {label}", f"because {words.list_text(sorted(applied)) or 'of no rule'}"
    return None


def unexpected_rule(refusal: graph.Refusal, deciding: Set[str], applied: Set[str], rules: graph.Graph) -> str:
    """Return the first expected reason that is not a reason of the refusal; "" if all are."""
    for label in refusal.by:
        if deciding.isdisjoint((label, *rules_of_label(label, rules))):
            return f"by {label}"
    for label in refusal.because:
        if applied.isdisjoint((label, *rules_of_label(label, rules))):
            return f"because {label}"
    return ""


def rules_of_label(label: str, rules: graph.Graph) -> tuple[str, ...]:
    """Return the labels of the rules that a label denotes: itself, or the rules of a ruling or a case."""
    if label in rules.rulings:
        return (label, *rules.rulings[label].rules, *rules.rulings[label].clarifies)
    if label in rules.cases:
        return tuple(name for name, rule in rules.rules.items() if rule.case == label)
    return (label,)


def stop_reason_text(error: Unanswered | BrokenRules) -> str:
    """Return the reason why a run stopped."""
    if isinstance(error, BrokenRules | NoGeometryError | OutOfRangeError):
        return str(error)
    if isinstance(error, AbsentError) and (reason := error.without_hex()):
        return reason
    if isinstance(error, AbsentError) and error.arguments:
        return f"`{error.arguments[0]}` has no `{error.callee}`: its counter has none printed on it"
    kind = type(error).__name__.removesuffix("Error").lower()
    cause = {
        "gap": "no rule answers",
        "clash": "live rules answer differently",
        "outside": "the answer lies outside the domain declared for it",
        "absent": "it is read before anything has set it; a line above sets it, as `set .. to ..` or `add .. to ..`, "
        "or an example `on` a situation card has what the card says",
    }[kind]
    labels = f" ({words.list_text(error.labels)})" if error.labels and kind == "clash" else ""
    return f"`{error.callee}`: {cause}{labels}"


def questions_in(
    answers: Interpreter, state: State, expr: graph.Expr, names: Environment
) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """Yield the questions inside an expression, without those about members of a set."""
    if isinstance(expr, graph.Ask):
        with suppress(Unanswered):  # One that an `and` kept from being asked.
            yield expr.term, tuple(answers.evaluate(state, argument, names) for argument in expr.arguments)
    elif isinstance(expr, graph.Op):
        for argument in expr.arguments:
            yield from questions_in(answers, state, argument, names)


def types_of_row(example: graph.Example, row: int, rules: graph.Graph) -> dict[str, graph.Type]:
    """Return the types of the values of a case, by name."""
    values = example.rows[row] if example.rows else ()
    return {name: type_of(value, {}, rules) for name, value in zip(example.names, values, strict=True)}
