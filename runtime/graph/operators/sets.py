"""Operators on sets and lists.

A set is a tuple without duplicates in canonical order, so that equal sets are equal tuples; a span of integers is a
`range`.
"""

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.graph import nodes as graph
from runtime.graph.budget import compared, passed_if_many
from runtime.graph.english import agreeing_verb
from runtime.graph.operators.numbers import Amount
from runtime.graph.operators.record import (
    Infix,
    Operands,
    Operator,
    OwnForm,
    Phrase,
    PhraseFunction,
    unbounded,
    whether_phrase,
)

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

EMPTY = graph.Many("set", graph.Nothing())


def span(low: Amount, high: Amount) -> range:
    """Return the integers from low to high, both included."""
    return range(math.ceil(low), math.floor(high) + 1)


def contains(x: Any, collection: Any) -> bool:
    """Return whether x is a member; in a span, anything between its ends is (5/2 in 2..3)."""
    if isinstance(collection, range):
        return bool(collection.start <= x <= collection.stop - 1)
    return bool(x in compared(collection))


def united(state: Any, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Compute the union of two sets."""
    union: tuple[Any, ...] = state.frame.ordered((*a, *b))
    return union


def flat(state: Any, sets: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    """Compute the union of many sets."""
    union: tuple[Any, ...] = state.frame.ordered(member for each in sets for member in passed_if_many(each))
    return union


def without(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Compute the difference of two sets."""
    left = frozenset(passed_if_many(b))
    return tuple(member for member in passed_if_many(a) if member not in left)


def _union(operands: Operands) -> graph.Type:
    left, right = operands.arguments
    found = operands.type(left)
    return operands.type(right) if found == EMPTY else found


def _members(operands: Operands) -> graph.Type:
    found = operands.type(operands.arguments[0])
    return found.of if isinstance(found, graph.Many) else graph.Nothing()


def _first(operands: Operands) -> graph.Type:
    return operands.type(operands.arguments[0])


def _list(operands: Operands) -> graph.Type:
    return graph.Many("list", operands.type(operands.arguments[0]))


def _member(wording: "Wording", expr: graph.Op, holds: bool) -> str:  # noqa: FBT001 - what every clause is told.
    left, right = expr.arguments
    member = wording.phrase(left)
    clause = wording.stated(right, member, holds=holds)
    if isinstance(right, graph.SetOf) and not clause:
        clause = wording.stated(left, wording.membership(right), holds=holds)
    if clause:
        return clause
    return f"{member} {agreeing_verb(member, 'is')} {'' if holds else 'not '}{wording.membership(right)}"


# Operators on sets; the state is only read for the canonical order.
_of_sets = partial(
    Operator, takes=None, reads="", bounds=unbounded, algebra="", whole="never sure", cost="look", of_hexes=False,
    beyond_rows=False,
)  # fmt: skip


SETS = (
    _of_sets(
        "in", ("T, set T -> yes_no", "T, list T -> yes_no"), "whether the first is a member of the second",
        result=graph.YesNo(), compute=contains, needs="", python="contains({0}, {1})", commutes=False,
        notation=Infix("in", 4), phrase=PhraseFunction(whether_phrase, _member, None), alterations=(),
        first_alone=False, large=False,
    ),
    _of_sets(
        "union", ("set T, set T -> set T",), "the members of either, written `A + B`",
        result=_union, compute=united, needs="state", python="s.frame.ordered((*{0}, *{1}))", commutes=True,
        notation=Infix("+", 5), phrase=Phrase("{0} together with {1}", None, ""), alterations=("without",),
        first_alone=True, large=True,
    ),
    _of_sets(
        "flat", ("set set T -> set T",), "the members of all members, written `{e for x in S for y in T}`",
        result=_members, compute=flat, needs="state",
        python="s.frame.ordered([member for each in {0} for member in passed_if_many(each)])", commutes=False,
        notation=OwnForm(9),
        phrase=Phrase("{0}", None, ""), alterations=(), first_alone=False, large=False,
    ),
    _of_sets(
        "without", ("set T, set T -> set T",), "the members of the first that the second has not, written `A - B`",
        result=_first, compute=without, needs="", python="without({0}, {1})", commutes=False, notation=Infix("-", 5),
        phrase=Phrase("{0} without {1}", None, ""), alterations=("union",), first_alone=True, large=True,
    ),
    _of_sets(
        "span", ("number m, number m -> list number m",),
        "the whole numbers from the first to the second, written `3..6`",
        result=_list, compute=span, needs="", python="span({0}, {1})", commutes=False, notation=OwnForm(9),
        phrase=Phrase("{0} to {1}", None, ""), alterations=(), first_alone=False, large=True,
    ),
)  # fmt: skip
