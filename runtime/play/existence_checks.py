"""Existence checks of executed expressions: generated code represents the hex of a piece off the map by an index.

In: an expression of a step, and the function that evaluates it. Out: a function that evaluates it by the interpreter
where it may read the hex of a named piece that is off the map, and again where the result may be or contain an absent
value; the interpreter then raises with the absent value and its place. So no step stores, emits, passes or compares an
absent hex. Pieces that nested terms find, and the search of options, which evaluate far more, are not checked.
"""

from typing import get_args

from runtime.answer.evaluator import Evaluator, ValueFunction
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.play.playthrough import Names
from runtime.state.position import LEFT, OFF, State
from runtime.state.record import Record, Value

ABSENT = (None, OFF, *LEFT)
# A number may have the same representation as an absent hex.
NUMBERS = (graph.Number, graph.Scale)
# Variables and literals, which exist.
CERTAIN = (graph.Var, *get_args(graph.LiteralExpr), graph.Is, graph.Has)


def checked_evaluation(evaluator: Evaluator, rules: graph.Graph, expr: graph.Expr) -> ValueFunction:
    """Return the function that evaluates an expression of a step; `AbsentError` where it has no value."""
    function = evaluator.value_function(expr)
    if isinstance(evaluator, Interpreter) or isinstance(expr, CERTAIN):
        return function
    type_ = type_of(expr, {}, rules)
    pieces = _located_pieces(expr, rules)

    def ask(state: State, names: Names) -> Value:
        if any(state.hex[names[name]] < 0 for name in pieces):
            return Interpreter(rules).evaluate(state, expr, names)
        value = function(state, names)
        return Interpreter(rules).evaluate(state, expr, names) if may_be_absent(value, type_, rules) else value

    return ask


def _located_pieces(expr: graph.Expr, rules: graph.Graph) -> tuple[str, ...]:
    """Return the names of pieces whose hex an expression, or a term that it asks with them, may read."""
    found = []
    for node in walk(expr):
        match node:
            case graph.Get(graph.Var(name), "given", _, "hex"):
                found.append(name)
            case graph.Ask(term, arguments):
                for parameter, argument in zip(rules.terms[term].parameters, arguments, strict=True):
                    if isinstance(argument, graph.Var) and isinstance(parameter.type, graph.Piece):
                        found.append(argument.name)
            case _:
                pass
    return tuple(sorted(set(found) & free_names(expr)))


def may_be_absent(value: Value, type_: graph.Type, rules: graph.Graph) -> bool:
    """Return whether a value may be or contain a representation of absence; numbers never are."""
    if isinstance(value, Record):
        fields = {part.name: part.type for part in rules.vocabulary.records[value.type].fields}
        return any(may_be_absent(each, fields[name], rules) for name, each in value.fields.items())
    if isinstance(type_, NUMBERS):
        return value is None
    if isinstance(value, tuple):
        if isinstance(type_, graph.Many) and isinstance(type_.of, NUMBERS):
            return None in value
        return any(absent in value for absent in ABSENT)
    return value in ABSENT
