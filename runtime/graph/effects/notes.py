"""Steps that change notes on pieces, hexes, sides and the game: tracks, fields of records, statuses."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.effects.primitives import AddMember, SetStatus, SetValue
from runtime.graph.effects.record import StepRecord
from runtime.graph.english import agreeing_verb
from runtime.graph.operators.numbers import is_out_of_reach
from runtime.graph.predeclared_types import SIDE

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

Target = graph.Get | graph.GameTrack
# Types whose values are amounts or conditions.
CHANGING = (graph.Number, graph.Scale, graph.Enum, graph.YesNo)


def _assigned(wording: "Wording", step: graph.Assign) -> str:
    """Return the text of a note that changes: "the stores become 3", "the stores go down by 1 (at least 0)"."""
    target, value = step.target, step.value
    phrase = wording.phrase(target)
    match target, value:
        case graph.GameTrack() | graph.Get(), graph.Truth(holds):
            return f"{_duration(wording, target)} {wording.condition_phrase(target, holds=holds)}"
        case graph.GameTrack() | graph.Get(), _ if isinstance(wording.type_of(target), graph.YesNo):
            return f"{_duration(wording, target)} {wording.clause(target)} if {wording.clause(value)}, and only then"
        case graph.GameTrack("game", "player"), _:
            acting = wording.phrase(value)
            return f"{acting} {agreeing_verb(acting, 'is')} to act"
        case _, graph.SetOf(()):
            return f"{phrase} {agreeing_verb(phrase, 'is')} cleared"
        case _, graph.Fold("gather", name, source, graph.Op("!=", (graph.Var(member), removed_member)), None) if (
            name,
            source,
        ) == (member, target):
            taken_phrase = wording.phrase(removed_member)
            return f"{taken_phrase} {agreeing_verb(taken_phrase, 'is')} no longer among {phrase}"
        case _:
            return _became(wording, target, value)


def _became(wording: "Wording", target: Target, value: graph.Expr) -> str:
    """Return the text of a note with a new amount, member or name."""
    phrase = wording.phrase(target)
    change, bound = _bounded(value)
    if (amount := _added(wording, target, change)) is not None:
        return f"{phrase} {agreeing_verb(phrase, 'goes')} {amount}{_bound_text(wording, bound)}"
    # Whoever or whatever is noted: that does not change into another.
    type_ = wording.type_of(target)
    verb = "becomes" if isinstance(type_, CHANGING) and type_ != SIDE else "is now"
    return f"{phrase} {agreeing_verb(phrase, verb)} {wording.phrase(value)}"


def _duration(wording: "Wording", target: Target) -> str:
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


def _added(wording: "Wording", target: graph.Expr, change: graph.Expr) -> str | None:
    """Return the change of a number by addition to it: "up by 2"; None for any other value."""
    match change:
        case graph.Op("+" | "-", (first, amount)) if first == target and _is_number(wording, target):
            return f"{'up' if change.op == '+' else 'down'} by {wording.phrase(amount)}"
        case graph.Op("+", (graph.Op("+", (first, one)), other)):
            return _added(wording, target, graph.Op("+", (first, graph.Op("+", (one, other)))))
        case _:
            return None


def _bound_text(wording: "Wording", bound: graph.Op | None) -> str:
    """Return the bound of a number in parentheses; "" for none."""
    limit = next((each for each in bound.arguments if isinstance(each, graph.Num)), None) if bound else None
    if bound is None or limit is None or is_out_of_reach(limit):
        return ""
    return f" (at {'most' if bound.op == 'min' else 'least'} {wording.phrase(limit)})"


def _is_number(wording: "Wording", expr: graph.Expr) -> bool:
    return isinstance(wording.type_of(expr), graph.Number)


def _added_member(wording: "Wording", step: graph.Add) -> str:
    return f"add {wording.phrase(step.element)} to {wording.phrase(step.target)}"


def _marked(wording: "Wording", step: graph.Mark) -> str:
    subject = wording.phrase(step.subject)
    moment = "now" if step.on else "no longer"
    flag = words.flag(step.owner, step.status, wording.vocabulary)
    if flag.startswith("has "):
        return f"{subject} {moment} counts as one that {flag}"
    return f"{subject} is {moment} {flag}"


def _place_of(target: Target) -> tuple[bool, str, str]:
    """Return whether a target is a field of a record, whose it is, and its name."""
    return isinstance(target, graph.Get) and target.what == "record", target.owner, target.name


def _base_of(target: Target) -> graph.Expr | None:
    return target.base if isinstance(target, graph.Get) else None


NOTES = (
    StepRecord(
        graph.Assign,
        does=lambda step: (SetValue(*_place_of(step.target), step.value, _base_of(step.target)),),
        title=lambda step: f"set {step.target.name}",
        phrase=_assigned,
    ),
    StepRecord(
        graph.Add,
        does=lambda step: (AddMember(*_place_of(step.target), step.element, _base_of(step.target)),),
        title=lambda step: f"add to {step.target.name}",
        phrase=_added_member,
    ),
    StepRecord(
        graph.Mark,
        does=lambda step: (SetStatus(step.owner, step.status, step.on, step.subject),),
        title=lambda step: f"{'mark' if step.on else 'unmark'} as {step.status}",
        phrase=_marked,
    ),
)
