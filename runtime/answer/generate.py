"""The Python back end: lazy compilation of a graph's terms.

In: a validated graph. Out: `GeneratedEvaluator`, which agrees with the interpreter and is some fifty times faster, or
the text of a readable module. Answers are equal, decision ids included; differential tests on random positions
verify that.

Functions are compiled at their first call, so that a stack of hundreds of terms starts at once and a game pays for
the questions it asks. Results that depend on the map alone are memoized per map. The executed text is built
from checked nodes: an author's text occurs in it only as an identifier that `python_name` has escaped or a literal
that `repr` has quoted.
"""

import re
from collections.abc import Callable, Collection, Iterator
from textwrap import wrap
from typing import Any

from runtime.answer.answer import Answer
from runtime.answer.brackets import bracketed_spans, outermost_text, without_brackets
from runtime.answer.code import CompiledCode, function_key
from runtime.answer.emit_expression import Emitter
from runtime.answer.emit_fold import write_stream
from runtime.answer.emit_functions import FUNCTION_SUFFIXES, write_functions
from runtime.answer.emit_names import NameScope, comment_text, python_name
from runtime.answer.emit_term import TermEmitter
from runtime.answer.state_reads import StateDependence
from runtime.answer.static_parts import static_parts
from runtime.answer.support import NAMESPACE, MemoizedChart
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.state.position import State
from runtime.state.record import Value

Function = Callable[..., Any]
Write = Callable[[Emitter, graph.Expr, NameScope], str]


class LazyFunctions(dict[str, Function]):
    """Generated functions by term, compiled at the first lookup."""

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

    def __init__(self, rules: graph.Graph, code: CompiledCode | None = None) -> None:
        """Prepare a namespace of stubs, each of which compiles its function at the first call.

        `code` holds functions generated earlier; new ones are added to it.
        """
        self.graph = rules
        self.emitter = Emitter(rules)
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

    def evaluate(self, state: State, expr: graph.Expr, names: dict[str, Value]) -> Value:
        """Evaluate an expression; each is compiled once, by identity."""
        known = self.expressions.get(id(expr))
        if known is None:
            known = self.expressions[id(expr)] = (expr, self.compile_expression(expr, tuple(names)))
        return known[1](state, names)

    def value_function(self, expr: graph.Expr) -> Callable[[State, dict[str, Value]], Value]:
        """Return the function that evaluates an expression."""
        known = self.expressions.get(id(expr))
        if known is None:
            known = self.expressions[id(expr)] = (expr, self.compile_expression(expr, tuple(sorted(free_names(expr)))))
        return known[1]

    def iterator_function(self, expr: graph.Expr) -> Callable[[State, dict[str, Value]], Iterator[Value]]:
        """Return the function that iterates over a collection in its order, lazily."""
        known = self.streams.get(id(expr))
        if known is None:
            known = self.streams[id(expr)] = (
                expr,
                self.compile_function(write_stream, expr, tuple(sorted(free_names(expr)))),
            )
        return known[1]

    def compile_expression(
        self, expr: graph.Expr, names: tuple[str, ...]
    ) -> Callable[[State, dict[str, Value]], Value]:
        """Compile an expression over these names to a function of a state and their values."""
        return self.compile_function(Emitter.write, expr, names)

    def compile_function(self, write: Write, expr: graph.Expr, names: tuple[str, ...]) -> Function:
        """Compile an expression to a function of a state and of the values of its names."""
        return self.define(
            "expression", function_key(write.__name__, expr, names), lambda: self.function_text(write, expr, names)
        )

    def function_text(self, write: Write, expr: graph.Expr, names: tuple[str, ...]) -> str:
        """Return the source of a function that evaluates an expression."""
        local = {name: self.emitter.local_name(name) for name in names}
        text = write(self.emitter, expr, NameScope(local))
        board = ["b = s.board"] if "b." in text else []
        used = sorted(free_names(expr) & local.keys())
        lines = [*(f"{local[name]} = n[{name!r}]" for name in used), *board, f"return {text}"]
        body = "\n".join(f"{SPACE}{line}" for line in lines)
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
        """Compile one of the functions of a term."""
        self.define(python_name(name), f"{name} {suffix}", lambda: self.function_source(name, suffix))

    def function_source(self, name: str, suffix: str) -> str:
        """Return the source of one of the functions of a term."""
        writer = term_emitter(self.graph.terms[name], self.dependence)
        return "\n\n\n".join(write_functions(writer, self.dependence, [suffix]))

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
            self.code.note(constant, value, self.emitter)
            self.known.add(constant)
        exec(code, self.namespace)
        return self.namespace.get(name)  # type: ignore[return-value]  # a function by that name was just made


SPACE = "    "


def module_text(rules: graph.Graph, names: Collection[str] | None = None) -> str:
    """Return all functions of a graph, or those of the wanted terms, as one readable module."""
    return "\n\n\n".join(map(break_lines, function_texts(rules, rules.terms if names is None else names))) + "\n"


def function_texts(rules: graph.Graph, names: Collection[str]) -> Iterator[str]:
    """Yield the functions of terms, in the order of the graph."""
    emitter = Emitter(rules)
    dependence = StateDependence(rules, emitter)
    stack, hash_ = comment_text(rules.stack), comment_text(rules.hash)[:12]
    yield f'"""Generated from the rule graph of {stack}, {hash_}. Do not edit."""'
    for name in (name for name in rules.terms if name in names):
        yield from write_functions(term_emitter(rules.terms[name], dependence), dependence)


def term_emitter(term: graph.Term, dependence: StateDependence) -> TermEmitter:
    """Return the emitter of a term."""
    return TermEmitter(dependence.emitter, term, dependence.cost_of, static_parts(term, dependence))


# ---------------------------------------------------------------- line breaking


WIDTH = 100
STEP = "    "

# A statement: the text before its expression, the expression, and the text after it.
STATEMENT = re.compile(r"((?:if|elif|return|for \w+ in|[\w\[\], .]+ \+?=)(?: (?=not\b)| ))(.*?)(:?)")
COMMENT = "# "

# Where an expression splits, lowest precedence first: each operator but a comma begins a line.
BREAKS = (
    re.compile(r"(?<=,) "),
    re.compile(r" (?=for \w+ in )| (?=if (?!.* else ))"),
    re.compile(r" (?=if |else )"),
    re.compile(r" (?=or )"),
    re.compile(r" (?=and )"),
    re.compile(r" (?=[<>=!]=? )"),
    re.compile(r" (?=[-+*/]+ )"),
)


def break_lines(text: str) -> str:
    """Split the lines of a function that are too long."""
    return "\n".join(short for line in text.split("\n") for short in break_line(line))


def break_line(line: str) -> Iterator[str]:
    """Split one line, if it is too long."""
    inner = line.lstrip()
    indent = line[: len(line) - len(inner)]
    if len(line) <= WIDTH or inner.startswith('"""'):
        yield line
    elif inner.startswith(COMMENT):
        yield from wrap(line, WIDTH, subsequent_indent=f"{indent}#{STEP[1:]}", break_long_words=False)
    elif found := STATEMENT.fullmatch(inner):
        before, expression, after = found.groups()
        expression_text = f"({without_brackets(expression)})" if break_points(expression) else expression
        lines = within_brackets(expression_text, WIDTH - len(indent))
        yield f"{indent}{before}{lines[0]}"
        yield from (f"{indent}{piece}" for piece in lines[1:-1])
        yield f"{indent}{lines[-1]}{after}"
    else:
        yield from (f"{indent}{piece}" for piece in within_brackets(inner, WIDTH - len(indent)))


def break_expression(text: str, width: int) -> list[str]:
    """Split an expression within brackets into lines of a width."""
    if len(text) <= width:
        return [text]
    if places := break_points(text):
        parts = [text[start:end].strip() for start, end in zip([0, *places], [*places, None], strict=True)]
        return [line for part in parts for line in break_expression(part, width)]
    return within_brackets(text, width)


def break_points(text: str) -> list[int]:
    """Return the indexes at which an expression splits: at its operators of lowest precedence outside brackets."""
    seen = outermost_text(text)
    found = ([found.start() for found in pattern.finditer(seen)] for pattern in BREAKS)
    return next((places for places in found if places), [])


def within_brackets(text: str, width: int) -> list[str]:
    """Split the contents of the longest brackets of an expression; without brackets it is returned unchanged."""
    brackets = [(start, end - 1) for start, end in bracketed_spans(text) if text[start] in "([{"]
    if not brackets:
        return [text]
    start, end = max(brackets, key=lambda ends: ends[1] - ends[0])
    while list(bracketed_spans(text[start + 1 : end])) == [(0, end - start - 1)] and text[start + 1] in "([{":
        start, end = start + 1, end - 1  # Brackets right inside of brackets open and close with them.
    lines = break_expression(text[start + 1 : end], width - len(STEP))
    return [text[: start + 1], *(f"{STEP}{line}" for line in lines), text[end:]]
