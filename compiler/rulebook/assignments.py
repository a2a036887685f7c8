"""Sentences for notes that a step changes: what they become, or by how much they go up or down."""

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb
from runtime.graph.operators.numbers import is_out_of_reach
from runtime.graph.predeclared_types import SIDE
from runtime.graph.type_of import type_of
from runtime.graph.wording import Wording

CHANGING = (graph.Number, graph.Scale, graph.Enum, graph.YesNo)  # types whose values are amounts or conditions


def assignment_text(wording: Wording, target: graph.Expr, value: graph.Expr) -> str:
    """Return the text of a note that changes: "the stores become 3", "the stores go down by 1 (at least 0)"."""
    match target, value:
        case graph.GameTrack() | graph.Get(), graph.Truth(holds):
            return f"{_duration(wording, target)} {wording.condition_phrase(target, holds=holds)}"
        case ((graph.GameTrack() | graph.Get()), _) if is_yes_no(wording, target):
            return f"{_duration(wording, target)} {wording.clause(target)} if {wording.clause(value)}, and only then"
        case graph.GameTrack("game", "player"), _:
            acting = wording.phrase(value)
            return f"{acting} {agreeing_verb(acting, 'is')} to act"
        case _, graph.SetOf(()):
            phrase = wording.phrase(target)
            return f"{phrase} {agreeing_verb(phrase, 'is')} cleared"
        case _, graph.Fold("gather", name, source, graph.Op("!=", (graph.Var(member), removed_member)), None) if (
            name,
            source,
        ) == (member, target):
            taken_phrase = wording.phrase(removed_member)
            return f"{taken_phrase} {agreeing_verb(taken_phrase, 'is')} no longer among {wording.phrase(target)}"
        case _:
            phrase = wording.phrase(target)
            change, bound = _bounded(value)
            if (amount := _added(wording, target, change)) is not None:
                return f"{phrase} {agreeing_verb(phrase, 'goes')} {amount}{_bound_text(wording, bound)}"
            # Whoever or whatever is noted: that does not change into another.
            type_ = type_of(target, wording.names, wording.rules)
            verb = "becomes" if isinstance(type_, CHANGING) and type_ != SIDE else "is now"
            return f"{phrase} {agreeing_verb(phrase, verb)} {wording.phrase(value)}"


def _duration(wording: Wording, target: graph.GameTrack | graph.Get) -> str:
    """Return how long a note lasts: "from now on", "until the end of its own turn"."""
    track = wording.vocabulary.tracks.get(f"{target.owner}.{target.name}")
    if track is None or track.lasts:
        return "from now on"
    return f"until the end of {'its' if track.until.startswith('own_') else 'the'} {words.readable_name(track.until)}"


def _bounded(value: graph.Expr) -> tuple[graph.Expr, graph.Op | None]:
    """Return a value without the bound that keeps it in the range of a note, and that bound: `max(0, n - 1)`."""
    match value:
        case graph.Op("min" | "max", (graph.Num(), change) | (change, graph.Num())):
            return change, value
        case _:
            return value, None


def _added(wording: Wording, target: graph.Expr, change: graph.Expr) -> str | None:
    """Return the change of a number by addition to it: "up by 2"; None for any other value."""
    match change:
        case graph.Op("+" | "-", (first, amount)) if first == target and _is_number(wording, target):
            return f"{'up' if change.op == '+' else 'down'} by {wording.phrase(amount)}"
        case graph.Op("+", (graph.Op("+", (first, one)), other)):
            return _added(wording, target, graph.Op("+", (first, graph.Op("+", (one, other)))))
        case _:
            return None


def _bound_text(wording: Wording, bound: graph.Op | None) -> str:
    """Return the bound of a number in parentheses; "" for none."""
    limit = next((each for each in bound.arguments if isinstance(each, graph.Num)), None) if bound else None
    if bound is None or limit is None or is_out_of_reach(limit):
        return ""
    return f" (at {'most' if bound.op == 'min' else 'least'} {wording.phrase(limit)})"


def _is_number(wording: Wording, expr: graph.Expr) -> bool:
    return isinstance(type_of(expr, wording.names, wording.rules), graph.Number)


def is_yes_no(wording: Wording, expr: graph.Expr) -> bool:
    """Return whether an expression is answered yes or no."""
    return isinstance(type_of(expr, wording.names, wording.rules), graph.YesNo)
