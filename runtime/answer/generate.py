"""The Python back end: lazy compilation of a graph's terms.

In: a validated graph. Out: `GeneratedEvaluator`, which agrees with the interpreter and is some fifty times faster.
Answers are equal, decision ids included; differential tests on random positions verify that. module_text.py prints the
same functions as one readable module.

Functions are compiled at their first call, so that a stack of hundreds of terms starts at once and a game pays for
the questions it asks. Results that depend on the map alone are memoized per map. The executed text is built
from checked nodes: an author's text occurs in it only as an identifier that `python_name` has escaped or a literal
that `repr` has quoted.
"""

from collections.abc import Callable
from typing import Any

from runtime.answer.answer import Answer
from runtime.answer.code import CompiledCode, function_key
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_fold import write_stream
from runtime.answer.emit_functions import FUNCTION_SUFFIXES, write_functions
from runtime.answer.emit_names import NameScope, python_name
from runtime.answer.evaluator import IteratorFunction, ValueFunction
from runtime.answer.expressions import Environment
from runtime.answer.state_reads import StateDependence
from runtime.answer.support import NAMESPACE, MemoizedChart
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.state.position import State
from runtime.state.record import Value

Function = Callable[..., Any]
Write = Callable[[Emitter, graph.Expr, NameScope], str]


class LazyFunctions(dict[str, Function]):
    """Generated functions by term, compiled at the first lookup, for callers that are not generated.

    Generated functions call each other by their names in the namespace, where a stub compiles each (`make_stub`).
    """

    def __init__(self, evaluator: "GeneratedEvaluator", suffix: str) -> None:
        """Start without functions."""
        super().__init__()
        self.evaluator = evaluator
        self.suffix = suffix

    def __missing__(self, name: str) -> Function:
        self.evaluator.make_function(name, self.suffix)
        found: Function = self.evaluator.namespace[f"{python_name(name)}{self.suffix}"]
        self[name] = found
        return found


class GeneratedEvaluator:
    """An evaluator with generated functions."""

    def __init__(self, rules: graph.Graph, code: CompiledCode | None = None, *, is_traced: bool = False) -> None:
        """Prepare a namespace of stubs, each of which compiles its function at the first call.

        `code` holds functions generated earlier; new ones are added to it. `is_traced`: no term is written into the
        functions of others, so that `asked_terms` has all that were asked.
        """
        self.graph = rules
        self.asked_terms: set[str] = set()
        self.emitter = Emitter(rules)
        self.emitter.is_traced = is_traced
        self.dependence = StateDependence(rules, self.emitter)
        self.namespace: dict[str, Any] = dict(NAMESPACE)
        self.expressions: dict[int, tuple[graph.Expr, Function]] = {}
        self.streams: dict[int, tuple[graph.Expr, Function]] = {}
        self.known: set[str] = set()
        # Functions by term: with the decision id, or of the answer alone.
        self.terms = LazyFunctions(self, "_why")
        self.values = LazyFunctions(self, "")
        for name in rules.terms:
            self.add_stubs(name)
        self.code = CompiledCode() if code is None else code
        self.code.restore(self.emitter)

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term."""
        return Answer(*self.terms[name](state, *arguments))

    def value(self, state: State, name: str, arguments: tuple[Value, ...]) -> Value:
        """Return the answer to a question without a decision id, which is faster."""
        return self.values[name](state, *arguments)

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression."""
        return self.value_function(expr)(state, names)

    def value_function(self, expr: graph.Expr) -> ValueFunction:
        """Return the function that evaluates an expression; each is compiled once, by identity."""
        return self.function_of(expr, self.expressions, Emitter.write)

    def iterator_function(self, expr: graph.Expr) -> IteratorFunction:
        """Return the function that iterates over a collection in its order, lazily."""
        return self.function_of(expr, self.streams, write_stream)

    def function_of(self, expr: graph.Expr, compiled: dict[int, tuple[graph.Expr, Function]], write: Write) -> Function:
        """Return the function of an expression, compiled if it is not; a reference to each keeps its id unique."""
        known = compiled.get(id(expr))
        if known is None:
            key = function_key(write.__name__, expr)
            function = self.define("expression", key, lambda: self.function_text(write, expr))
            known = compiled[id(expr)] = (expr, function)
        return known[1]

    def function_text(self, write: Write, expr: graph.Expr) -> str:
        """Return the source of a function of a state and of the values of names, which evaluates an expression."""
        local_names = {name: self.emitter.local_name(name) for name in sorted(free_names(expr))}
        text = write(self.emitter, expr, NameScope(local_names))
        lines = [f"{local} = n[{name!r}]" for name, local in local_names.items()]
        if "b." in text:
            lines.append("b = s.board")
        body = "\n".join(f"    {line}" for line in (*lines, f"return {text}"))
        return f"def expression(s, n):\n{body}\n"

    def add_stubs(self, name: str) -> None:
        """Insert the stubs of a term into the namespace."""
        for suffix in FUNCTION_SUFFIXES:
            self.namespace.setdefault(python_name(name) + suffix, self.make_stub(name, suffix))

    def make_stub(self, term: str, suffix: str) -> Function:
        """Return a stub that compiles its function at the first call."""

        def make_and_call(*arguments: Any) -> Any:
            self.make_function(term, suffix)
            return self.namespace[python_name(term) + suffix](*arguments)

        return make_and_call

    def make_function(self, name: str, suffix: str) -> None:
        """Compile one of the functions of a term, which is asked for the first time."""
        self.asked_terms.add(name)
        term = self.graph.terms[name]
        self.define(
            python_name(name),
            f"{name} {suffix}",
            lambda: "\n\n\n".join(write_functions(term, self.dependence, [suffix])),
        )

    def make_chart(self, table: graph.Table) -> MemoizedChart:
        """Build the lookup dictionary of a chart."""
        return MemoizedChart(table)

    def define(self, name: str, key: str, write: Callable[[], str]) -> Function:
        """Compile and execute a function with its constants; the source is generated only if `code` has none."""
        code = self.code.functions.get(key)
        if code is None:
            code = self.code.functions[key] = compile(write(), f"<{self.graph.stack}: {name}>", "exec")
        for constant in self.emitter.constants.keys() - self.known:
            value = self.emitter.constants[constant]
            self.namespace[constant] = self.make_chart(value) if isinstance(value, graph.Table) else value
            self.code.record_constant(constant, value, self.emitter)
            self.known.add(constant)
        exec(code, self.namespace)
        return self.namespace.get(name)  # type: ignore[return-value]  # a function by that name was just made
