"""The reference interpreter for expressions, with generated code for whole questions.

A search evaluates parts of guards with delayed names (`LazyBinding`), which only the interpreter supports; but a query
of another term is a whole question, which generated code evaluates some fifty times faster. Tests elsewhere check that
both have the same answers.
"""

from functools import cached_property

from runtime.answer.answer import Answer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.state.position import State
from runtime.state.record import Value


class FastInterpreter(Interpreter):
    """An evaluator that interprets expressions, and evaluates whole questions by generated code."""

    @cached_property
    def compiled(self) -> GeneratedEvaluator:
        """Generate the code on the first question."""
        return GeneratedEvaluator(self.graph)

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Evaluate a term.

        Searches use stand-ins for values they cannot build; then there is no answer, but no failure.
        """
        try:
            return self.compiled.ask(state, name, arguments)
        except AttributeError as misfit:
            raise TypeError(name) from misfit
