"""Comparisons in rules of a track with a number that no step sets it to: they never hold in play, or always.

In: a whole game. Out: findings. The values of a track are its first value and those of the steps that set it, bounded
by intervals (intervals.py). Where a bound depends on the track itself, as in `u.ammo - 1`, it is open: a card may place
a piece with any value of the range.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, TypeVar, cast

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.intervals import Intervals
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetValue
from runtime.graph.interval import Interval, hull, interval_of
from runtime.graph.operators import MIRRORED
from runtime.graph.walk import map_children, walk


@finding("R0704", "never-reached", WARNING)
class NeverReached(Finding):
    """A `rule` compares a track with a number that no step sets it to, so `condition` never or always holds in play.

    `reached` are the values to which steps set it, "at most 2"; `set_by` are the procedures with these steps.
    """

    rule: Party
    condition: str
    track: str
    reached: str
    outcome: Literal["never", "always"]
    set_by: tuple[Party, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.condition}` is {self.outcome} true in play, as steps set `{self.track}` to {self.reached}",
            (
                party_label(self.rule, "tested here"),
                *(party_label(party, f"sets `{self.track}`") for party in self.set_by[:4]),
            ),
            f"correct the number here, or the one to which `{self.track}` is set",
            root=f"track {self.track}",
        )


T = TypeVar("T")
TruthKind = Literal["never", "always", ""]


@check_of_stack
def never_reached(stack: graph.Graph) -> Iterator[NeverReached]:
    """Find such comparisons, each with the steps that set the track."""
    if not is_whole_game(stack):
        return
    writer, values = ExpressionWriter(stack.vocabulary), Intervals(stack)
    intervals: dict[str, Interval] = {}
    for rule in stack.rules.values():
        for node in walk((rule.guard, rule.value)):
            compared = _compared(node, stack)
            if compared is None or _known(compared[1], compared[2], interval_of(compared[0].type)):
                continue
            track, op, number = compared
            name = f"{track.owner}.{track.name}"
            if name not in intervals:
                intervals[name] = _in_play(stack, track, values)
            outcome = _known(op, number, intervals[name])
            if outcome:
                high = intervals[name].high
                reached = (
                    f"at most {high}" if high is not None and high <= number else f"at least {intervals[name].low}"
                )
                setters = tuple(procedure_party(each) for each in stack.procedures.values() if [*_values(each, track)])
                condition = writer.text(cast(graph.Expr, node))
                yield NeverReached(writer.rule_party(rule), condition, name, reached, outcome, setters)


def _compared(node: object, stack: graph.Graph) -> tuple[graph.Track, str, Fraction] | None:
    """Return a track, the operator and the number that it is compared with; None for another expression."""
    match node:
        case graph.Op(op, (graph.Num() as number, other)) if op in MIRRORED and not isinstance(other, graph.Num):
            return _compared(graph.Op(MIRRORED[op], (other, number)), stack)
        case graph.Op(op, (graph.Get(_, "track", owner, name) | graph.GameTrack("game" as owner, name), graph.Num(n))):
            track = stack.vocabulary.tracks.get(f"{owner}.{name}")
            return None if op not in MIRRORED or track is None or track.initial is None else (track, op, n)
        case _:
            return None


def _values(procedure: graph.Procedure, track: graph.Track) -> Iterator[graph.Expr]:
    """Yield the values to which a procedure sets a track."""
    for effect in effects_in(procedure.body, SetValue):
        if not effect.in_record and (effect.owner, effect.name) == (track.owner, track.name):
            yield effect.value


def _in_play(stack: graph.Graph, track: graph.Track, intervals: Intervals) -> Interval:
    """Return an interval of all values of a track in play; it is open if no step sets it."""
    found = [value for procedure in stack.procedures.values() for value in _values(procedure, track)]
    initial = () if track.initial is None else (track.initial,)
    return hull(intervals.interval_of(_without(value, track), {}) for value in (*initial, *found) if found)


def _without(part: T, track: graph.Track) -> T | graph.Var:
    """Return a part of an expression with a name of unknown value in the place of a track."""
    return graph.Var("") if _is_of(part, track) else map_children(part, lambda inner: _without(inner, track))


def _is_of(node: object, track: graph.Track) -> bool:
    match node:
        case graph.Get(_, "track", owner, name) | graph.GameTrack(owner, name):
            return (owner, name) == (track.owner, track.name)
        case _:
            return False


def _known(op: str, number: Fraction, values: Interval) -> TruthKind:
    """Return whether a comparison of any of these values with a number never holds, or always."""
    low, high = values.low, values.high
    below, above = high is not None and high < number, low is not None and low > number
    at_most, at_least = high is not None and high <= number, low is not None and low >= number
    holds, fails = {
        "=": (False, below or above), "!=": (below or above, False), "<": (below, at_least), "<=": (at_most, above),
        ">": (above, at_most), ">=": (at_least, below),
    }[op]  # fmt: skip
    return "always" if holds else "never" if fails else ""
