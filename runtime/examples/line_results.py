"""Play an example for a reader: every answer as it came out, with the reasons that play gives.

In: a graph and one row of an example. Out: the run, and for each line of the example the answer in
words and its explanation, None where a line asks nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text
from runtime.examples.row_result import Run
from runtime.examples.run import ExampleRun, run_of
from runtime.examples.tracing_interpreter import UntracedInterpreter
from runtime.graph import nodes as graph
from runtime.graph.type_of import common_type
from runtime.play.accounts import accounts_in
from runtime.play.playthrough import Playthrough
from runtime.state.position import State
from runtime.state.record import Value

# Reasons, and what those rest on: whoever wants more asks.
DEPTH = 1


@dataclass(frozen=True, slots=True)
class LineResult:
    """What a line came to: the answer in a few words, and why, if a term was asked; and what procedures told.

    The rules that failed are no part of why.
    """

    answer: str
    explanation: Explanation | None
    account_sentences: tuple[str, ...] = ()


def tell_row(rules: graph.Graph, example: graph.Example, row: int) -> tuple[Run, tuple[LineResult | None, ...]]:
    """Play one row of an example and tell what came of each of its lines."""
    teller = _ExplainingRun(rules, example, row)
    teller.play_through()
    told = (*teller.results, *[None] * (len(example.lines) - len(teller.results)))
    return run_of(teller), told


class _ExplainingRun(ExampleRun):
    """Plays a row and explains each answer at the moment it is given."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int) -> None:
        super().__init__(rules, example, row)
        self.results: list[LineResult | None] = []
        self.tells = True  # Readers want to be told whether or not the example expects it.
        self.untraced = UntracedInterpreter(self.tracing)

    def play_line(
        self, playthrough: Playthrough, line: graph.ExampleLine, names: dict[str, Value], types: dict[str, graph.Type]
    ) -> dict[str, Value]:
        """Play one line, with a place for what it comes to."""
        self.results.append(None)
        since = len(playthrough.journal)
        names = super().play_line(playthrough, line, names, types)
        if said := tuple(each.sentence for each in accounts_in(playthrough.journal[since:]) if each.sentence):
            self.results[-1] = LineResult("", None, said)
        return names

    def check(self, state: State, line: graph.Check, names: dict[str, Value]) -> None:
        """Ask and compare, then ask once more for the reasons; what those look at is not noted as leaned on."""
        super().check(state, line, names)
        self.results[-1] = self._telling(self.untraced, state, line, names)

    def _telling(self, answers: Interpreter, state: State, line: graph.Check, names: Mapping[str, Value]) -> LineResult:
        """Explain the answer to a question; the value of anything else is only said."""
        question = line.question
        if isinstance(question, graph.Ask):
            arguments = tuple(answers.evaluate(state, argument, dict(names)) for argument in question.arguments)
            found = Explainer(answers, failed=False).explain(state, question.term, arguments, DEPTH)
            return LineResult(found.answer, found)
        value = answers.evaluate(state, question, dict(names))
        return LineResult(
            value_text(state, value, common_type((question, line.expected), self.types, self.rules)), None
        )
