"""Say what somebody has, and how much: "it has a driver", "the cart has 2 wheels", "the cart has carried 3 loads".

In: what is asked for, or a field that holds a number, and the `Wording` that speaks. Out: whom it is said of, and how
such a clause begins. A field that is called as its measure is, or by a participle, would else be read as a thing:
"its carried is 3 loads".
"""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb, are_several, is_done
from runtime.graph.type_of import type_of

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def tells_deed(speaker: "Wording", expr: graph.Get) -> bool:
    """Return whether a field tells how much of something was done."""
    name = words.factor_name(expr.name, speaker.vocabulary)
    return is_done(name) and isinstance(type_of(expr, speaker.names, speaker.rules), graph.Number)


def amount_opening(speaker: "Wording", expr: graph.Expr, *, literal: bool) -> tuple[str, str] | None:
    """Return whom an amount is said of and what the clause begins with, None where it reads as a field.

    `literal`: whether the amount that follows is written out, with its measure.
    """
    if not isinstance(expr, graph.Get) or expr.what not in ("track", "printed", "record"):
        return None
    owner = speaker.phrase(expr.base)
    has = f"{owner} {agreeing_verb(owner, 'has')}"
    if tells_deed(speaker, expr):
        return owner, f"{has} {words.factor_name(expr.name, speaker.vocabulary)}"
    of = type_of(expr, speaker.names, speaker.rules)
    measure = of.measure if isinstance(of, graph.Number) else ""
    counted = measure and words.factor_name(expr.name, speaker.vocabulary) == (
        words.measure_name(measure, speaker.vocabulary)
    )
    return (owner, has) if counted and literal else None


def amount_clause(speaker: "Wording", left: graph.Expr, how: str, right: graph.Expr) -> str:
    """Compare an amount that somebody has, or has done; "" where it reads as a field."""
    found = amount_opening(speaker, left, literal=isinstance(right, graph.Num))
    if found is None:
        return ""
    owner, opening = found
    amount = speaker.comparand_phrase(right)
    if how != "not ":
        return f"{opening} {how}{amount}"
    has = f"{owner} {agreeing_verb(owner, 'has')}"
    if opening == has:
        return f"{owner} {agreeing_verb(owner, 'does')} not have {amount}"
    return f"{has} not{opening.removeprefix(has)} {amount}"


def possession_clause(speaker: "Wording", expr: graph.Has, *, holds: bool) -> str:
    """Say what somebody has, or has not; a counter that has another side can be turned to it."""
    owner, has = speaker.phrase(expr.subject), holds != expr.negated
    if expr.what == "printed" and expr.name in ("back", "front"):
        its = "their" if are_several(owner) else "its"
        return f"{owner} {'can' if has else 'cannot'} be turned to {its} {expr.name}"
    owned = possession_phrase(speaker, expr)
    if has:
        return f"{owner} {agreeing_verb(owner, 'has')} {words.article(owned)}"
    if words.has_article(owned):
        return f"{owner} {agreeing_verb(owner, 'does')} not have {owned}"
    return f"{owner} {agreeing_verb(owner, 'has')} no {owned}"


def possession_phrase(speaker: "Wording", expr: graph.Has) -> str:
    """Read the word after `has`."""
    if expr.what == "partner":
        relation = speaker.vocabulary.relations[expr.owner]
        end = relation.left if expr.name == "left" else relation.right
        return words.factor_name(end.name, speaker.vocabulary)
    if expr.what == "path":
        return words.flag("path", expr.name, speaker.vocabulary)
    return words.factor_name(expr.name, speaker.vocabulary)
