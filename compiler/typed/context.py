"""Contexts of elaboration: names in scope, facts established, problems.

Elaboration traverses an expression once, with the type that its context expects, and returns the graph node and the
type found; a type of None means that a problem was reported already, and suppresses further ones.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.span import Span
from compiler.typed.environment import Environment, is_assignable, type_text
from compiler.typed.findings.mismatches import MeasureMismatch, TypeMismatch
from compiler.typed.values.facts import without_members
from runtime.graph import nodes as graph

# An elaborated expression: its graph node, and its type; the type is None after a problem.
TypedExpression = tuple[graph.Expr, "graph.Type | None"]
BROKEN: TypedExpression = (graph.Truth(value=False), None)
Result = TypeVar("Result")

NO_NAMES: Mapping[str, graph.Type] = {}
NO_SPOTS: Mapping[str, graph.Spot] = {}
NO_SUBJECTS: Mapping[str, graph.Type | None] = {}


class Context(NamedTuple):
    """The context of one expression. `known` are facts established to its left (see facts.py).

    `elaborate` is that of values/expressions.py, for operands: the modules of single nodes cannot import it, as it
    imports them.
    """

    env: Environment
    problems: list[Finding]
    elaborate: "Callable[[source.Expression, Context, graph.Type | None], TypedExpression]"
    names: Mapping[str, graph.Type] = NO_NAMES
    spots: Mapping[str, graph.Spot] = NO_SPOTS
    spot_kinds: Mapping[str, graph.Type | None] = NO_SUBJECTS
    known: frozenset[graph.Expr] = frozenset()
    previous: TypedExpression | None = None
    at_table: bool = False  # in an example, which may set what a situation card sets
    places: frozenset[str] = frozenset()  # names of places within the named range of their scale
    passes: int = 0  # the number of enclosing passes over members
    layer: str = ""  # the layer of the enclosing procedure, if there is one

    def with_binding(self, name: str, type_: graph.Type, *, named: bool = False) -> "Context":
        """Return the context with one more name; `named`: a place on a scale is within its named range."""
        places = self.places - {name} if name in self.places else self.places
        if named and isinstance(type_, graph.Scale):
            places |= {name}
        return self._replace(names={**self.names, name: type_}, places=places)

    def inside_pass(self) -> "Context":
        """Return the context inside a pass over members."""
        return self._replace(passes=self.passes + 1)

    def reject(self, problem: Finding) -> TypedExpression:
        """Report a problem, and return `BROKEN`: an expression without a type, about which nothing more is said."""
        return self.report(problem, BROKEN)

    def report(self, problem: Finding, result: Result) -> Result:
        """Report a problem, and return what stands for that which cannot be elaborated."""
        self.problems.append(problem)
        return result

    def with_facts(self, facts: frozenset[graph.Expr]) -> "Context":
        """Return the context with more facts established."""
        return self._replace(known=self.known | facts) if facts else self

    def without_members(self) -> "Context":
        """Return the context without facts about the members of sets, which an effect may change."""
        return self._replace(known=without_members(self.known)) if self.known else self


def expect_type(context: Context, found: TypedExpression, expected: graph.Type | None, span: Span) -> TypedExpression:
    """Return what was found; if its type is not assignable to the expected one, report it and return `BROKEN`."""
    _, type_ = found
    if type_ is None or expected is None or is_assignable(type_, expected):
        return found
    if isinstance(type_, graph.Number) and isinstance(expected, graph.Number):
        context.problems.append(
            MeasureMismatch(span, expected.measure, type_.measure, literal_in(expected, type_, found[0]))
        )
    else:
        members = context.env.members(expected.name) if isinstance(expected, graph.Enum) else ()
        context.problems.append(TypeMismatch(span, type_text(expected), type_text(type_), tuple(members)))
    return BROKEN


def literal_in(expected: graph.Number, found: graph.Number, expression: graph.Expr) -> str:
    """Return the text of a bare number with its measure; "" where more than the measure is wrong."""
    is_bare = isinstance(expression, graph.Num) and not (expected.measure and found.measure)
    return f"{expression.value} {expected.measure}".strip() if is_bare and isinstance(expression, graph.Num) else ""
