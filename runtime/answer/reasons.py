"""The rules behind the value of an expression: what decided the questions that it asks.

In: an interpreter, a state, an expression and the names around it. Out: the rules that applied, those of the question
asked first before those of what that asks, each once.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.answer.explain import Explainer, Explanation, RecordingInterpreter
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value

# How far down questions on the way are looked into, and how many rules anybody reads.
DEPTH = 3
MOST = 12


class AppliedRule(NamedTuple):
    """A rule that decided: its label, what it says here, its sentence, and its paragraphs."""

    label: str
    says: str
    prose: str
    cites: tuple[str, ...]


def reasons_of(
    answers: Interpreter, state: State, expr: graph.Expr, names: dict[str, Value]
) -> tuple[AppliedRule, ...]:
    """List the rules that decided the value of an expression."""
    recording = RecordingInterpreter(answers)
    recording.evaluate(state, expr, names)
    explainer = Explainer(answers)
    found: dict[str, AppliedRule] = {}
    for term, arguments in recording.questions:
        for each in _applied(
            explainer.explain(state, explainer.deciding_stage(state, term, arguments), arguments, DEPTH)
        ):
            found.setdefault(each.label, each)
    return tuple(found.values())[:MOST]


def _applied(explanation: Explanation) -> Iterator[AppliedRule]:
    """List the rules that applied, the outermost first."""
    for each in explanation.applied_rules():
        yield AppliedRule(each.label, each.says, each.prose, each.cites)
    for each in explanation.applied_rules():
        for asked in each.explanations:
            yield from _applied(asked)
    for asked in explanation.explanations:
        yield from _applied(asked)
