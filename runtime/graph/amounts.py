"""Say how much of something somebody has, or has done: "the cart has 2 wheels", "the cart has carried 3 loads".

In: a field that holds a number, and the `Wording` that speaks. Out: whom it is said of, and how such a clause begins.
A field that is called as its measure is, or by a participle, would else be read as a thing: "its carried is 3 loads".
"""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import is_done, verb
from runtime.graph.type_of import type_of

if TYPE_CHECKING:
    from runtime.graph.wording import Wording


def tells_deed(speaker: "Wording", expr: graph.Get) -> bool:
    """Return whether a field tells how much of something was done."""
    name = words.noted(expr.name, speaker.vocabulary)
    return is_done(name) and isinstance(type_of(expr, speaker.names, speaker.rules), graph.Number)


def amount_opening(speaker: "Wording", expr: graph.Expr, *, literal: bool) -> tuple[str, str] | None:
    """Return whom an amount is said of and what the clause begins with, None where it reads as a field.

    `literal`: whether the amount that follows is written out, with its measure.
    """
    if not isinstance(expr, graph.Get) or expr.what not in ("track", "printed", "record"):
        return None
    owner = speaker.phrase(expr.base)
    has = f"{owner} {verb(owner, 'has')}"
    if tells_deed(speaker, expr):
        return owner, f"{has} {words.noted(expr.name, speaker.vocabulary)}"
    of = type_of(expr, speaker.names, speaker.rules)
    measure = of.measure if isinstance(of, graph.Number) else ""
    counted = measure and words.noted(expr.name, speaker.vocabulary) == (
        speaker.vocabulary.measures.get(measure) or words.spaced(measure)
    )
    return (owner, has) if counted and literal else None


def amount_clause(speaker: "Wording", left: graph.Expr, how: str, right: graph.Expr) -> str:
    """Compare an amount that somebody has, or has done; "" where it reads as a field."""
    found = amount_opening(speaker, left, literal=isinstance(right, graph.Num))
    if found is None:
        return ""
    owner, opening = found
    amount = speaker.compared(right)
    if how != "not ":
        return f"{opening} {how}{amount}"
    has = f"{owner} {verb(owner, 'has')}"
    if opening == has:
        return f"{owner} {verb(owner, 'does')} not have {amount}"
    return f"{has} not{opening.removeprefix(has)} {amount}"
