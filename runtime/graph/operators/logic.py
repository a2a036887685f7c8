"""Comparisons, yes and no, and choices.

Sets compare as sets because they are canonical; records only by identity. Logic is lazy: evaluators evaluate one
argument after the other.
"""

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.graph import nodes as graph
from runtime.graph.budget import passed_if_many
from runtime.graph.interval import Interval, IntervalLimit
from runtime.graph.operators.record import (
    Comparison,
    Infix,
    Operands,
    Operator,
    OwnForm,
    PhraseFunction,
    Prefix,
    unbounded,
    whether_phrase,
)

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

YES_NO = graph.YesNo()
ORDERED = ("number m, number m -> yes_no", "scale s, scale s -> yes_no")
OTHER = {"and": "or", "or": "and"}


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal; sets are compared member by member."""
    if a.__class__ is tuple:
        passed_if_many(a)
    return bool(a == b)


def choose(condition: bool, yes: Any, no: Any) -> Any:  # noqa: FBT001 - it is the operator `if`.
    """Return one of two values. Evaluators must not evaluate the other one."""
    return yes if condition else no


def _chosen(operands: Operands) -> graph.Type:
    _, yes, no = operands.arguments
    found = operands.type(yes)
    return operands.type(no) if found == graph.Nothing() else found


def _either_within(parts: Sequence[Interval], _far: IntervalLimit) -> Interval:
    return parts[1].with_(parts[2])


# Wording.


def _joined(wording: "Wording", expr: graph.Op, holds: bool) -> str:  # noqa: FBT001 - what every clause is told.
    return wording.join_clauses(expr.arguments, expr.op if holds else OTHER[expr.op], holds=holds)


def _negated(wording: "Wording", expr: graph.Op, holds: bool) -> str:  # noqa: FBT001 - as above.
    return wording.condition_phrase(expr.arguments[0], holds=not holds)


def _choice(wording: "Wording", expr: graph.Op) -> str:
    condition, yes, no = expr.arguments
    return f"{wording.phrase(yes)} if {wording.clause(condition)}, otherwise {wording.phrase(no)}"


def _choice_of_clauses(wording: "Wording", expr: graph.Op, holds: bool) -> str:  # noqa: FBT001 - as above.
    condition, yes, no = expr.arguments
    ends = [wording.condition_phrase(end, holds=holds) for end in (yes, no)]
    return f"{ends[0]} if {wording.clause(condition)}, otherwise {ends[1]}"


# Operators that depend on nothing but their arguments.
_of_logic = partial(
    Operator, takes=None, needs="", reads="", whole="never sure", first_alone=False, cost="look", large=False,
    of_hexes=False, beyond_rows=False,
)  # fmt: skip


def _comparison(
    sign: str,
    forms: tuple[str, ...],
    documentation: str,
    *,
    compute: Callable[[Any, Any], bool],
    python: str,
    commutes: bool,
    phrase: Comparison,
    alterations: tuple[str, ...],
) -> Operator:
    """Build a comparison."""
    return _of_logic(
        sign, forms, documentation, result=YES_NO, compute=compute, python=python, bounds=unbounded, algebra="",
        commutes=commutes, notation=Infix(sign, 4), phrase=phrase, alterations=alterations,
    )  # fmt: skip


LOGIC = (
    _comparison(
        "=", ("T, T -> yes_no",), "whether both are the same", compute=same, python="({0} == {1})",
        commutes=True, phrase=Comparison("", "not ", none=False, mirrored="="), alterations=("!=",),
    ),
    _comparison(
        "!=", ("T, T -> yes_no",), "whether they differ", compute=lambda a, b: not same(a, b), python="({0} != {1})",
        commutes=False, phrase=Comparison("not ", "", none=True, mirrored="!="), alterations=("=",),
    ),
    _comparison(
        "<", ORDERED, "whether the first is less", compute=operator.lt, python="({0} < {1})", commutes=False,
        phrase=Comparison("less than ", "at least ", none=None, mirrored=">"), alterations=("<=", ">="),
    ),
    _comparison(
        "<=", ORDERED, "whether the first is less or the same", compute=operator.le, python="({0} <= {1})",
        commutes=False, phrase=Comparison("at most ", "more than ", none=False, mirrored=">="),
        alterations=("<", ">"),
    ),
    _comparison(
        ">", ORDERED, "whether the first is more", compute=operator.gt, python="({0} > {1})", commutes=False,
        phrase=Comparison("more than ", "at most ", none=True, mirrored="<"), alterations=(">=", "<="),
    ),
    _comparison(
        ">=", ORDERED, "whether the first is more or the same", compute=operator.ge, python="({0} >= {1})",
        commutes=False, phrase=Comparison("at least ", "less than ", none=None, mirrored="<="),
        alterations=(">", "<"),
    ),
    _of_logic(
        "and", ("yes_no, ... -> yes_no",), "whether all hold; what follows one that does not is not asked",
        result=YES_NO, compute=lambda *xs: all(xs), python="({and})", bounds=unbounded, algebra="", commutes=True,
        notation=Infix("and", 2), phrase=PhraseFunction(whether_phrase, _joined, None), alterations=("or",),
    ),
    _of_logic(
        "or", ("yes_no, ... -> yes_no",), "whether one holds; what follows it is not asked",
        result=YES_NO, compute=lambda *xs: any(xs), python="({or})", bounds=unbounded, algebra="", commutes=True,
        notation=Infix("or", 1), phrase=PhraseFunction(whether_phrase, _joined, None), alterations=("and",),
    ),
    _of_logic(
        "not", ("yes_no -> yes_no",), "whether it does not hold",
        result=YES_NO, compute=operator.not_, python="(not {0})", bounds=unbounded, algebra="", commutes=False,
        notation=Prefix("not ", 3), phrase=PhraseFunction(whether_phrase, _negated, None), alterations=(),
    ),
    _of_logic(
        "if", ("yes_no, T, T -> T",), "the one or the other, written `if a then x else y`; the other is not asked",
        result=_chosen, compute=choose, python="({1} if {0} else {2})", bounds=_either_within, algebra="computed",
        commutes=False, notation=OwnForm(0), phrase=PhraseFunction(_choice, _choice_of_clauses, 0), alterations=(),
    ),
)  # fmt: skip
