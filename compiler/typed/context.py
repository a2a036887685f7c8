"""Contexts of expressions that are checked: names in scope, what is known to be there, problems.

Elaboration walks an expression once, with the type wanted by its surroundings, and gives the graph
node and the type found; a type of None means a problem was already told, and silences follow-ups.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.environment import Environment, is_assignable, type_text
from compiler.typed.problems import MeasureMismatch, Problem, TypeMismatch
from runtime.graph import nodes as graph

Found = tuple[graph.Expr, "graph.Type | None"]
BROKEN: Found = (graph.Truth(value=False), None)


NOTHING: Mapping[str, graph.Type] = {}
NOWHERE: Mapping[str, graph.Spot] = {}
NOBODY: Mapping[str, graph.Type | None] = {}


class Context(NamedTuple):
    """Surroundings of one expression. `known` are facts established to the left (see facts.py)."""

    env: Environment
    problems: list[Problem]
    walk: "Callable[[source.Expression, Context, graph.Type | None], Found]"
    names: Mapping[str, graph.Type] = NOTHING
    spots: Mapping[str, graph.Spot] = NOWHERE
    spot_kinds: Mapping[str, graph.Type | None] = NOBODY
    known: frozenset[graph.Expr] = frozenset()
    previous: Found | None = None
    at_table: bool = False  # an example sets up what else a situation card says
    places: frozenset[str] = frozenset()  # names that stand for a place between the first and last that a scale names
    passes: int = 0  # how many passes over members this stands inside of
    layer: str = ""  # that of the procedure this stands in, where it stands in one

    def with_binding(self, name: str, type_: graph.Type, *, named: bool = False) -> "Context":
        """The same surroundings with one more name; `named`: a place on a scale is one named, or between such."""
        places = self.places - {name} if name in self.places else self.places
        if named and isinstance(type_, graph.Scale):
            places |= {name}
        return self._replace(names={**self.names, name: type_}, places=places)

    def inside_pass(self) -> "Context":
        """The same surroundings inside a pass over members."""
        return self._replace(passes=self.passes + 1)

    def with_facts(self, facts: frozenset[graph.Expr]) -> "Context":
        """The same surroundings with more facts established."""
        return self._replace(known=self.known | facts) if facts else self


def expect_type(context: Context, found: Found, wanted: graph.Type | None, span: Span) -> Found:
    """Check that what was found fits what is wanted."""
    _, type_ = found
    if type_ is None or wanted is None or is_assignable(type_, wanted):
        return found
    if isinstance(type_, graph.Number) and isinstance(wanted, graph.Number):
        context.problems.append(
            MeasureMismatch(span, wanted.measure, type_.measure, literal_in(wanted, type_, found[0]))
        )
    else:
        members = context.env.members(wanted.name) if isinstance(wanted, graph.Enum) else ()
        context.problems.append(TypeMismatch(span, type_text(wanted), type_text(type_), tuple(members)))
    return BROKEN


def literal_in(wanted: graph.Number, found: graph.Number, expression: graph.Expr) -> str:
    """Return how to write a bare number with its measure; "" where more than the measure is wrong."""
    bare = isinstance(expression, graph.Num) and not (wanted.measure and found.measure)
    return f"{expression.value} {wanted.measure}".strip() if bare and isinstance(expression, graph.Num) else ""
