"""Verbalization of conditions with their values: what holds, or what does not.

In: a condition, a `Wording`, and a function that formats the value of an expression. Out: a clause that is true: "the
speed of T is 6 points, more than 1 point".
"""

from collections.abc import Callable
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import amount_opening
from runtime.graph.english import agreeing_verb
from runtime.graph.expressions.conditions import tests_phrase
from runtime.graph.predeclared_types import SIDE
from runtime.graph.walk import nodes_of
from runtime.graph.wording import Wording

TextFunction = Callable[[graph.Expr], str]

HOLDS = {"=": "", "!=": "not ", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least "}
# What is true of the left side where a comparison fails.
FAILS = {"=": "not ", "<": "at least ", "<=": "more than ", ">": "at most ", ">=": "less than "}


def failing_clause(expr: graph.Expr, wording: Wording, text_of: TextFunction) -> str:
    """Return the clause for a failing condition."""
    expr = _count_as_quantifier(expr)
    match expr:
        case graph.Op("!=", (left, right)) if not _reads_as_clause(left):
            clause, phrase = _value_clause(left, wording, text_of), wording.phrase(right)
            return clause if is_literal(right) or phrase == text_of(right) else f"{clause}, the same as {phrase}"
        case graph.Op(op, (left, right)) if op in FAILS and not _reads_as_clause(left):
            return f"{_value_clause(left, wording, text_of)}, {FAILS[op]}{_requirement_text(right, wording, text_of)}"
        case graph.Op("in", (left, right)) if is_named(left, right, wording, text_of):
            return wording.opposite_clause(expr)
        case graph.Op("in", (left, right)):
            return f"{_value_clause(left, wording, text_of)}, not {wording.membership(right).removeprefix('among ')}"
        case graph.Op("not", (graph.Op("or", parts),)):
            return holding_clause(next(part for part in parts if text_of(part) == "yes"), wording, text_of)
        case graph.Op("or", parts):
            return "; and ".join(failing_clause(part, wording, text_of) for part in parts)
        case graph.Op("and", parts) if failing := [part for part in parts if text_of(part) == "no"]:
            return failing_clause(failing[0], wording, text_of)
        case graph.Is(graph.Cell() as cell, _, False):
            return f"{_value_clause(cell, wording, text_of)}, not {tests_phrase(wording, expr)}"
        case graph.Fold("none"):
            return f"{wording.opposite_clause(expr)}: {_members_text(expr, text_of)}"
        case _:
            return wording.opposite_clause(expr)


def holding_clause(expr: graph.Expr, wording: Wording, text_of: TextFunction) -> str:
    """Return the clause for a condition that holds."""
    expr = _count_as_quantifier(expr)
    match expr:
        case graph.Op("=", (left, right)) if not _reads_as_clause(left):
            if is_literal(right):
                return _value_clause(left, wording, text_of)
            value = text_of(right)
            clause = wording.clause(expr)
            return clause if wording.phrase(right) == value else f"{clause}, {value}"
        case graph.Op("!=", (left, right)) if is_named(left, right, wording, text_of):
            return f"{text_of(left)} is not {_requirement_text(right, wording, text_of)}"
        case graph.Op(op, (left, right)) if op in HOLDS and not _reads_as_clause(left):
            return f"{_value_clause(left, wording, text_of)}, {HOLDS[op]}{_requirement_text(right, wording, text_of)}"
        case graph.Op("in", (left, right)) if is_named(left, right, wording, text_of):
            return wording.clause(expr)
        case graph.Op("in", (left, right)):
            clause = _value_clause(left, wording, text_of)
            return clause if isinstance(right, graph.SetOf) else f"{clause}, {wording.membership(right)}"
        case graph.Op("not", (graph.Op("and", parts),)):
            failed = next(part for part in parts if text_of(part) == "no")
            return holding_clause(graph.Op("not", (failed,)), wording, text_of)
        case graph.Op("or", parts):
            return holding_clause(next(part for part in parts if text_of(part) == "yes"), wording, text_of)
        case graph.Op("and", parts):
            return " and ".join(holding_clause(part, wording, text_of) for part in parts)
        case graph.Is(graph.Cell() as cell):
            return _value_clause(cell, wording, text_of)
        case graph.Fold("some"):
            return f"{wording.clause(expr)}: {_members_text(expr, text_of)}"
        case _:
            return wording.clause(expr)


def _count_as_quantifier(expr: graph.Expr) -> graph.Expr:
    """Return a comparison of a count with 0 as the `some` or `none` that it amounts to; else the condition itself."""
    match expr:
        case graph.Op("=" | "<=", (graph.Fold("count") as counted, graph.Num(0))):
            return replace(counted, op="none")
        case graph.Op(">" | "!=", (graph.Fold("count") as counted, graph.Num(0))):
            return replace(counted, op="some")
        case _:
            return expr


def is_named(left: graph.Expr, right: graph.Expr, wording: Wording, text_of: TextFunction) -> bool:
    """Return whether the left side is a name of its own value, as a hex is, and the right side is computed."""
    return not isinstance(right, graph.SetOf) and not is_literal(right) and wording.phrase(left) == text_of(left)


def _members_text(expr: graph.Fold, text_of: TextFunction) -> str:
    """Return the members that satisfy a `some` or `none`, as text."""
    place = crossed_place(expr.var, expr.where)
    return text_of(graph.Fold("gather", expr.var, expr.source, expr.where, place, None))


def crossed_place(var: str, condition: graph.Expr | None) -> graph.Get | None:
    """Return the hex of a crossing that a condition tests, where it tests one hex alone and not the hexside."""
    fields = {each for each in nodes_of(graph.Get, condition) if each.base == graph.Var(var)}
    return fields.pop() if len(fields) == 1 and next(iter(fields)).name in ("over", "back") else None


def _value_clause(expr: graph.Expr, wording: Wording, text_of: TextFunction) -> str:
    """Return the clause for the value of an expression: "the speed of T is 6 points"."""
    phrase, value = wording.phrase(expr), _value_phrase(expr, text_of)
    if clause := wording.stated(expr, value, holds=True):
        return clause
    if isinstance(expr, graph.Var) and wording.names.get(expr.name) == SIDE and expr.name in wording.calls:
        # The phrase of a side has its name, as its value does.
        return f"the {words.factor_name(expr.name if len(expr.name) > 1 else SIDE.name, wording.vocabulary)} is {value}"
    if amount := amount_opening(wording, expr, literal=True):
        return f"{amount[1]} {value}"
    if phrase != value:
        return f"{phrase} {agreeing_verb(phrase, 'is')} {value}"
    match expr:
        case graph.Var(name) if isinstance(wording.names.get(name), graph.Number | graph.Enum) and len(name) > 1:
            return f"{Wording(wording.rules).variable(name)} is {value}"
    return phrase


def _value_phrase(expr: graph.Expr, text_of: TextFunction) -> str:
    """Return the value of an expression; of the side of something, or a side by name, its noun phrase."""
    value = text_of(expr)
    match expr:
        case graph.Get(name=SIDE.name) | graph.Member(enum=SIDE.name):
            return words.side_phrase(value)
        case _:
            return value


def _requirement_text(expr: graph.Expr, wording: Wording, text_of: TextFunction) -> str:
    """Return the phrase of the right side of a comparison, with its value where the phrase does not state it."""
    phrase, value = wording.phrase(expr), _value_phrase(expr, text_of)
    return value if phrase == value or is_literal(expr) else f"{phrase}, which {agreeing_verb(phrase, 'is')} {value}"


def is_literal(expr: graph.Expr) -> bool:
    """Return whether an expression is a literal."""
    return isinstance(expr, graph.LiteralExpr | graph.Spot)


def _reads_as_clause(expr: graph.Expr) -> bool:
    """Return whether an expression is a boolean test, which reads better as a clause."""
    return isinstance(expr, graph.Is | graph.Has | graph.Truth)
