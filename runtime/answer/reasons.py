"""The rules that decided the value of an expression.

In: an interpreter, a state, an expression and its environment. Out: the rules that applied, those of direct questions
before those of nested ones, each once.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.answer.recording import recording_interpreter
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value

# The depth to which nested questions are explained, and the number of rules that are returned at most.
DEPTH = 3
MOST_RULES = 12


class AppliedRule(NamedTuple):
    """A rule that applied: its label, its conclusion here, its prose, and the paragraphs that it cites."""

    label: str
    conclusion: str
    prose: str
    cites: tuple[str, ...]


def reasons_of(
    answers: Interpreter, state: State, expr: graph.Expr, names: dict[str, Value]
) -> tuple[AppliedRule, ...]:
    """Return the rules that decided the value of an expression."""
    recording, reads = recording_interpreter(answers)
    recording.evaluate(state, expr, names)
    explainer = Explainer(answers)
    found: dict[str, AppliedRule] = {}
    for term, arguments in reads.questions:
        for each in _applied(
            explainer.explain(state, explainer.deciding_stage(state, term, arguments), arguments, DEPTH)
        ):
            found.setdefault(each.label, each)
    return tuple(found.values())[:MOST_RULES]


def _applied(explanation: Explanation) -> Iterator[AppliedRule]:
    """Yield the rules that applied, the outermost first."""
    for each in explanation.applied_rules():
        yield AppliedRule(each.label, each.conclusion, each.prose, each.cites)
    for each in explanation.applied_rules():
        for inner in each.explanations:
            yield from _applied(inner)
    for inner in explanation.explanations:
        yield from _applied(inner)
