"""Notes on record identity, for examples that compare records by fields: a record is equal only to itself."""

from runtime.answer.expressions import Environment
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Record, Value

ADVICE = "a record is the one that was written, not another with the same fields; `let m = the ..` names it"


def identity_difference(state: State, value: Value, expected: Value) -> str:
    """Return a note that two values differ only in the identity of records; "" where they differ otherwise."""
    if isinstance(value, tuple) and isinstance(expected, tuple):
        have_equal_fields = len(value) == len(expected) and all(
            map(lambda a, b: a == b or _have_equal_fields(state, a, b), value, expected)
        )
    else:
        have_equal_fields = _have_equal_fields(state, value, expected)
    return f", and that is another one: {ADVICE}" if have_equal_fields and value != expected else ""


def identity_comparison(answers: Interpreter, state: State, question: graph.Expr, names: Environment) -> str:
    """Return a note that a failing comparison compares distinct records with equal fields; "" otherwise."""
    match question:
        case graph.Op("=", (left, right)):
            return identity_difference(state, *(answers.evaluate(state, each, names) for each in (left, right)))
        case graph.Op(_, parts):
            return next(filter(None, (identity_comparison(answers, state, part, names) for part in parts)), "")
        case _:
            return ""


def _have_equal_fields(state: State, first: Value, second: Value) -> bool:
    """Return whether two records have equal fields."""
    if not (isinstance(first, Record) and isinstance(second, Record)) or first.type != second.type:
        return False
    names = {*first.fields, *second.fields}
    return all(state.field(first, name) == state.field(second, name) for name in names)


def unwritten_record_text(state: State, value: Value) -> str:
    """Return a note that a record was never written while one with equal fields was; "" for any other value."""
    members = value if isinstance(value, tuple) else (value,)
    for member in members:
        written = state.records[member.type] if isinstance(member, Record) else ()
        if member not in written and any(_have_equal_fields(state, member, each) for each in written):
            return f"; {ADVICE}"
    return ""
