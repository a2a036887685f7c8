"""Verbalization of possession and amounts: "it has a driver", "the cart has 2 wheels", "the cart has carried 3 loads".

In: a field or `has` test, and a `Wording`. Out: the subject and the opening of its clause. Without this, a field named
by its unit or by a participle would be worded as a noun: "its carried is 3 loads".
"""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb, is_participle

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def is_participial_amount(wording: "Wording", expr: graph.Get) -> bool:
    """Return whether a field is the amount of a completed activity, named by a participle."""
    name = words.factor_name(expr.name, wording.vocabulary)
    return is_participle(name) and isinstance(wording.type_of(expr), graph.Number)


def amount_opening(wording: "Wording", expr: graph.Expr, *, literal: bool) -> tuple[str, str] | None:
    """Return the subject and the opening of an amount's clause; None where it is worded as a field.

    `literal`: whether the amount that follows is a literal with its unit.
    """
    if not isinstance(expr, graph.Get) or expr.what not in ("track", "printed", "record"):
        return None
    owner = wording.phrase(expr.base)
    has = f"{owner} {agreeing_verb(owner, 'has')}"
    if is_participial_amount(wording, expr):
        return owner, f"{has} {words.factor_name(expr.name, wording.vocabulary)}"
    type_ = wording.type_of(expr)
    measure = type_.measure if isinstance(type_, graph.Number) else ""
    counted = measure and words.factor_name(expr.name, wording.vocabulary) == (
        words.measure_name(measure, wording.vocabulary)
    )
    return (owner, has) if counted and literal else None


def is_measured(wording: "Wording", expr: graph.Expr) -> bool:
    """Return whether a value is an amount with a measure."""
    type_ = wording.type_of(expr)
    return isinstance(type_, graph.Number) and bool(type_.measure)


SOME = {"more than ": "", "at most ": "no "}  # before the noun of an amount that is compared with 0


def _is_positive(wording: "Wording", expr: graph.Expr) -> bool:
    """Return whether an amount is never negative."""
    type_ = wording.type_of(expr)
    return isinstance(type_, graph.Number) and type_.low is not None and type_.low >= 0


def amount_clause(wording: "Wording", left: graph.Expr, comparison: str, right: graph.Expr) -> str:
    """Return the clause of a comparison of an amount; "" where it is worded as a field."""
    found = amount_opening(wording, left, literal=isinstance(right, graph.Num))
    if found is None:
        return ""
    owner, opening = found
    amount = wording.comparand_phrase(right)
    if comparison in SOME and isinstance(right, graph.Num) and right.value == 0 and _is_positive(wording, left):
        noun = amount.removeprefix("0 ")
        if noun != amount and not noun.startswith("on "):
            return f"{opening} {SOME[comparison]}{noun}"
    if comparison != "not ":
        return f"{opening} {comparison}{amount}"
    has = f"{owner} {agreeing_verb(owner, 'has')}"
    if opening == has:
        return f"{owner} {agreeing_verb(owner, 'does')} not have {amount}"
    return f"{has} not{opening.removeprefix(has)} {amount}"


def possession_clause(wording: "Wording", expr: graph.Has, *, holds: bool) -> str:
    """Return the clause of a `has` test, or of its opposite."""
    owner, has = wording.phrase(expr.subject), holds != expr.negated
    if expr.what == "printed" and expr.name in ("back", "front"):
        pronoun = "their" if isinstance(owner, words.PluralPhrase) else "its"
        return f"{owner} {'can' if has else 'cannot'} be turned to {pronoun} {expr.name}"
    owned = _possession_phrase(wording, expr)
    if isinstance(expr.subject, graph.GameTrack):
        return f"there is {words.article(owned) if has else f'no {owned}'}"
    if has:
        return f"{owner} {agreeing_verb(owner, 'has')} {words.article(owned)}"
    if words.has_article(owned):
        return f"{owner} {agreeing_verb(owner, 'does')} not have {owned}"
    return f"{owner} {agreeing_verb(owner, 'has')} no {owned}"


def _possession_phrase(wording: "Wording", expr: graph.Has) -> str:
    """Return the object of a `has` test."""
    if expr.what == "partner":
        end = wording.vocabulary.relations[expr.owner].end(expr.name)
        return words.factor_name(end.name, wording.vocabulary)
    if expr.what == "path":
        return words.flag("path", expr.name, wording.vocabulary)
    return words.factor_name(expr.name, wording.vocabulary)
