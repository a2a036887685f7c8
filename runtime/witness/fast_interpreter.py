"""The reference interpreter on the surface, generated functions below it.

A search evaluates pieces of guards with names that wait (`LazyBinding`), which only the interpreter understands;
but what a guard asks of other terms is a whole question, and generated code answers those some fifty
times faster. Both give the same answers, which tests elsewhere hold them to.
"""

from functools import cached_property

from runtime.answer.answer import Answer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.state.position import State
from runtime.state.record import Value


class FastInterpreter(Interpreter):
    """Evaluates expressions by interpretation, and answers whole questions with generated code."""

    @cached_property
    def compiled(self) -> GeneratedEvaluator:
        """Prepare the generated code when the first question comes."""
        return GeneratedEvaluator(self.graph)

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term. Searches ask with stand-ins for what they cannot make; that is no answer, but no failure."""
        try:
            return self.compiled.ask(state, name, arguments)
        except AttributeError as misfit:
            raise TypeError(name) from misfit
