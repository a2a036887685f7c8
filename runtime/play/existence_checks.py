"""Hold what is carried out to values that exist: generated code stands a piece off the map in a hex of its own.

In: an expression of a step, and the function that evaluates it. Out: a function that evaluates it once more by the
interpreter where the answer may be no value, or hold one that is none; the interpreter says what is absent, and where.
So no step keeps, tells or hands on a hex that is none. Terms asked on the way, and the search among options, which ask
far more often, are free to answer where the interpreter says that something is absent.
"""

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.play.option_evaluator import Evaluator, ValueFunction
from runtime.play.playthrough import Names
from runtime.state.position import AWAY, GONE, OFF, State
from runtime.state.record import Record, Value

ABSENT = (None, OFF, GONE, AWAY)
# A number may be written as a hex that is none is.
NUMBERS = (graph.Number, graph.Scale)
# These are what is bound already, or is written.
CERTAIN = (graph.Var, graph.Num, graph.Truth, graph.Member, graph.Place, graph.Is, graph.Has)


def existence_checked(evaluator: Evaluator, rules: graph.Graph, expr: graph.Expr) -> ValueFunction:
    """Return the function that evaluates an expression of a step; `AbsentError` where it has no value."""
    function = evaluator.value_function(expr)
    if isinstance(evaluator, Interpreter) or isinstance(expr, CERTAIN):
        return function
    type_ = type_of(expr, {}, rules)

    def ask(state: State, names: Names) -> Value:
        value = function(state, names)
        return Interpreter(rules).evaluate(state, expr, names) if may_be_absent(value, type_, rules) else value

    return ask


def may_be_absent(value: Value, type_: graph.Type, rules: graph.Graph) -> bool:
    """Return whether a value is one of those that stand for none, or holds one; a number is what it says."""
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
