"""Hold what is carried out to values that exist: generated code stands a piece off the map in a hex of its own.

In: an expression of a step, and the function that evaluates it. Out: a function that evaluates it once more by the
interpreter where the answer may be no value, or hold one that is none; the interpreter says what is absent, and where.
So no step keeps, tells or hands on a hex that is none. Terms asked on the way, and the search among options, which ask
far more often, are free to answer where the interpreter says that something is absent.
"""

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.course import Names
from runtime.play.option_evaluator import Asking, Evaluator
from runtime.state.position import AWAY, GONE, OFF, State
from runtime.state.record import Record, Value

ABSENT = (None, OFF, GONE, AWAY)
# These are what is bound already, or is written.
CERTAIN = (graph.Var, graph.Num, graph.Truth, graph.Member, graph.Place, graph.Is, graph.Has)


def existing(evaluator: Evaluator, rules: graph.Graph, expr: graph.Expr) -> Asking:
    """Return the function that evaluates an expression of a step; `AbsentError` where it has no value."""
    asking = evaluator.asking(expr)
    if isinstance(evaluator, Interpreter) or isinstance(expr, CERTAIN):
        return asking

    def ask(state: State, names: Names) -> Value:
        value = asking(state, names)
        return Interpreter(rules).evaluate(state, expr, names) if may_be_absent(value) else value

    return ask


def may_be_absent(value: Value) -> bool:
    """Return whether a value is one of those that stand for none, or holds one."""
    if isinstance(value, tuple):
        return any(absent in value for absent in ABSENT)
    if isinstance(value, Record):
        return any(map(may_be_absent, value.fields.values()))
    return value in ABSENT
