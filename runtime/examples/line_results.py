"""Run one case of an example and explain each answer.

In: a graph and one case of an example. Out: the run, and for each line the answer as text with its explanation;
None where a line asks nothing.
"""

from collections.abc import Mapping

from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text
from runtime.examples.row_result import Run
from runtime.examples.run import ExampleRun, run_result
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_of import common_type
from runtime.play.accounts import accounts_in
from runtime.play.playthrough import Playthrough
from runtime.state.position import State
from runtime.state.record import Value

# The depth of an explanation: the reasons, and the reasons of these.
DEPTH = 1


@frozen_dataclass
class LineResult:
    """The result of a line: the answer as text, its explanation if a term was asked, and the reports of procedures.

    The explanation leaves out rules whose guards failed.
    """

    answer: str
    explanation: Explanation | None
    account_sentences: tuple[str, ...] = ()


def run_row_by_line(rules: graph.Graph, example: graph.Example, row: int) -> tuple[Run, tuple[LineResult | None, ...]]:
    """Run one case of an example and return the run with the result of each line."""
    example_run = _ExplainingRun(rules, example, row)
    example_run.play_through()
    results = (*example_run.results, *[None] * (len(example.lines) - len(example_run.results)))
    return run_result(example_run), results


class _ExplainingRun(ExampleRun):
    """A run that explains each answer in the state in which it was computed."""

    def __init__(self, rules: graph.Graph, example: graph.Example, row: int) -> None:
        super().__init__(rules, example, row)
        self.results: list[LineResult | None] = []
        self.tells = True  # Readers want to be told whether or not the example expects it.
        self.untraced = self.answers.without_hooks()

    def play_line(
        self, playthrough: Playthrough, line: graph.ExampleLine, names: dict[str, Value], types: dict[str, graph.Type]
    ) -> dict[str, Value]:
        """Run one line and append its result."""
        self.results.append(None)
        since = len(playthrough.journal)
        names = super().play_line(playthrough, line, names, types)
        if sentences := tuple(each.sentence for each in accounts_in(playthrough.journal[since:]) if each.sentence):
            self.results[-1] = LineResult("", None, sentences)
        return names

    def check(self, state: State, line: graph.Check, names: dict[str, Value]) -> None:
        """Evaluate and compare, then evaluate again for the explanation, whose reads are not traced."""
        super().check(state, line, names)
        self.results[-1] = self._telling(self.untraced, state, line, names)

    def _telling(self, answers: Interpreter, state: State, line: graph.Check, names: Mapping[str, Value]) -> LineResult:
        """Return the explained answer to a question, or the value of any other expression as text."""
        question = line.question
        if isinstance(question, graph.Ask):
            arguments = tuple(answers.evaluate(state, argument, dict(names)) for argument in question.arguments)
            found = Explainer(answers, with_failed=False).explain_fully(state, question.term, arguments, DEPTH)
            return LineResult(found.answer, found)
        value = answers.evaluate(state, question, dict(names))
        return LineResult(
            value_text(state, value, common_type((question, line.expected), self.types, self.rules)), None
        )
