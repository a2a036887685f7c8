"""Extract the questions of an example that can be evaluated with other arguments, and their position.

In: an example and one of its rows. Out: the position of its first questions, and these questions as patterns with
arguments: pieces, hexes and members of enumerations become parameters, so that questions that differ only in these are
one function of the module, which a reader of the page may call with others.
"""

from collections.abc import Mapping
from typing import Any

from compiler.core.questions import QuestionExpression
from runtime.examples.expectations import types_of_row
from runtime.examples.run import ExampleRun
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.graph.free_names import substitute
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_of import type_of
from runtime.graph.walk import map_children, nodes_of
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.state.record import Value

# Lines between questions that do not change the position.
STILL = (graph.Check, graph.Let, graph.Printed, graph.Narrated, graph.LetOnly, graph.Draws)


@frozen_dataclass
class AskedQuestion:
    """A question of an example: the number of its line, its pattern, and its arguments (indices, or member names).

    `answer` is the type of its value.
    """

    line: int
    question: QuestionExpression
    arguments: tuple[Value, ...]
    answer: graph.Type


@frozen_dataclass
class AskedCase:
    """A row of an example: its questions, and their position."""

    row: int
    state: State
    questions: tuple[AskedQuestion, ...]


def repeatable_case(rules: graph.Graph, example: graph.Example, row: int) -> AskedCase | None:
    """Run a row up to its first question; None if it has no question that can be extracted.

    Questions after a pinned answer are excluded: a module evaluates the rules in the position, without pinned answers.
    """
    lines = example.lines
    first = next((index for index, line in enumerate(lines) if isinstance(line, graph.Check)), len(lines))
    if first == len(lines) or any(isinstance(line, graph.Given | graph.Order) for line in lines[:first]):
        return None
    playing = ExampleRun(rules, example, row)
    playthrough, names = set_up(rules, example, row)
    playing.types = types_of_row(example, row, rules)
    definitions: dict[str, graph.Expr] = {}
    questions: list[AskedQuestion] = []
    try:
        for number, line in enumerate(lines):
            if number > first and not isinstance(line, STILL):
                break
            playing.number = number
            if isinstance(line, graph.Check):
                found = _asked(rules, playthrough.state, number, line, _Known(definitions, names, playing.types))
                questions += [found] if found else []
                continue
            names = playing.play_line(playthrough, line, names, playing.types)
            if isinstance(line, graph.Let):
                definitions[line.name] = substitute(line.value, definitions)
            elif not isinstance(line, STILL):
                definitions.clear()  # Their referents may have changed.
    except (Unanswered, BrokenRules, TooMuchWork):
        return None
    return AskedCase(row, playthrough.state, tuple(questions)) if questions else None


@frozen_dataclass
class _Known:
    """The names of an example: the expressions of `let`, the values of others, and the types of both."""

    meanings: Mapping[str, graph.Expr]
    names: Mapping[str, Value]
    types: Mapping[str, graph.Type]


def _asked(rules: graph.Graph, state: State, number: int, line: graph.Check, known: _Known) -> AskedQuestion | None:
    pattern = _Pattern(rules, state, known)
    expr = pattern.parametrize(substitute(line.question, known.meanings))
    parameters = tuple(pattern.parameters)
    bound = {parameter.name for parameter in parameters} | {node.var for node in nodes_of(graph.Fold, expr)}
    if any(node.name not in bound for node in nodes_of(graph.Var, expr)):
        return None
    types = graph.parameter_types(parameters)
    return AskedQuestion(
        number, QuestionExpression(parameters, expr), tuple(pattern.values), type_of(expr, types, rules)
    )


class _Pattern:
    """The abstraction of one question over its pieces, hexes and members of enumerations."""

    def __init__(self, rules: graph.Graph, state: State, known: _Known) -> None:
        """Start without parameters."""
        self.rules = rules
        self.state = state
        self.known = known
        self.pieces = {sheet.name: index for index, sheet in enumerate(state.sheets)}
        self.parameters: list[graph.Parameter] = []
        self.values: list[Value] = []
        self.variables: dict[graph.Expr, graph.Var] = {}

    def parametrize(self, expr: Any) -> Any:
        """Replace values in an expression by parameters; equal values have the same parameter."""
        match expr:
            case graph.Spot("piece", name) if name in self.pieces:
                index = self.pieces[name]
                return self.parameter(expr, graph.Piece((self.state.kind[index],)), index)
            case graph.Spot("hex", name) if name in self.state.board.index:
                return self.parameter(expr, graph.Hex(), self.state.board.index[name])
            case graph.Member(enum, name) if enum in self.rules.vocabulary.enums:
                return self.parameter(expr, graph.Enum(enum), name)
            case graph.Var(name) if name in self.known.names and name not in self.known.meanings:
                return self.variable(expr, self.known.names[name], self.known.types.get(name))
            case _:
                return map_children(expr, self.parametrize)

    def variable(self, expr: graph.Var, value: Value, type_: graph.Type | None) -> graph.Expr:
        """Return the parameter or constant that replaces a name of the example."""
        match type_:
            case graph.Piece() | graph.Hex() | graph.Enum() if value is not None:
                return self.parameter(expr, type_, value)
            case graph.Number(_, _, measure) if value is not None:
                return graph.Num(value, measure)
            case graph.YesNo():
                return graph.Truth(bool(value))
            case _:
                return expr

    def parameter(self, expr: graph.Expr, type_: graph.Type, value: Value) -> graph.Var:
        """Return the parameter of an expression, adding one if it has none."""
        if expr not in self.variables:
            name = f"p{len(self.parameters)}"
            self.variables[expr] = graph.Var(name)
            self.parameters.append(graph.Parameter(name, type_))
            self.values.append(value)
        return self.variables[expr]
