"""Compare two sequences of play: stops that only one of them has, or in another order.

The input is the steps of two sequences; the output is their stops, matched. A stop is anything that can be reached: a
phase, a loop of the clock, each offered action, a resolution, any other step. Stops in both, in the same phase and
order, are no difference; one elsewhere was moved; one with different conditions has changed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import takewhile

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import BINDING, without_citations, without_names
from runtime.graph.steps import phases_of_sequence, single_step


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A step in its place: `within` is the enclosing phase, "" outside all; `after` the stop before it.

    `step` is the step itself, for an offer with this one action; nested steps are separate stops, and `body_names`
    contains the names of those of a conditional or repeated step, `alternative_names` of those where its condition does
    not hold. `plain` is the step independent of its names and its place.
    """

    kind: str  # phase | offer | do | each | step
    name: str
    within: str
    after: str
    step: graph.Step
    cited: graph.Cited | None
    body_names: tuple[str, ...] = ()
    alternative_names: tuple[str, ...] = ()
    plain: graph.Step | None = None
    is_repeated: bool = False  # The other sequence has it in this phase, too, but not as often.

    @property
    def key(self) -> tuple[str, str]:
        """Return the key by which a stop is found in another sequence."""
        return self.kind, self.name


@dataclass(frozen=True, slots=True)
class SequenceDifference:
    """The difference of two sequences of play: steps of one only, steps that moved, and steps with another body."""

    only_a: tuple[PlacedStep, ...] = ()
    only_b: tuple[PlacedStep, ...] = ()
    moved: tuple[tuple[PlacedStep, PlacedStep], ...] = ()
    changed: tuple[tuple[PlacedStep, PlacedStep], ...] = ()


def compare_sequences(a: graph.Graph, b: graph.Graph) -> SequenceDifference:
    """Return the difference of the sequences of play of two graphs."""
    first_stops, second_stops = (_stops_of(each) for each in (a, b))
    # Stops are matched phase by phase: what is in a phase that has moved has not moved itself.
    pairs = [
        pair
        for phase in dict.fromkeys(stop.within for stop in first_stops)
        for pair in _in_same_order(_within(phase, first_stops), _within(phase, second_stops))
    ]
    left = [stop for stop in first_stops if all(stop is not pair[0] for pair in pairs)]
    right = [stop for stop in second_stops if all(stop is not pair[1] for pair in pairs)]
    moved = tuple(_match_stops(left, right))
    changed = tuple(pair for pair in (*pairs, *moved) if pair[0].plain != pair[1].plain)
    return SequenceDifference(
        _marked_repeated(left, second_stops), _marked_repeated(right, first_stops), moved, changed
    )


def _marked_repeated(stops: list[PlacedStep], others: list[PlacedStep]) -> tuple[PlacedStep, ...]:
    """Return the stops of one sequence only, with a mark on those that the other one has elsewhere in the phase."""
    places = {(other.key, other.within) for other in others}
    return tuple(replace(stop, is_repeated=(stop.key, stop.within) in places) for stop in stops)


def _within(phase: str, stops: list[PlacedStep]) -> list[PlacedStep]:
    return [stop for stop in stops if stop.within == phase]


def _in_same_order(first: list[PlacedStep], second: list[PlacedStep]) -> Iterator[tuple[PlacedStep, PlacedStep]]:
    """Yield the stops of a phase that both sequences have in the same order."""
    first_keys, second_keys = ([stop.key for stop in stops] for stops in (first, second))
    for i, j, size in SequenceMatcher(None, first_keys, second_keys, autojunk=False).get_matching_blocks():
        yield from zip(first[i : i + size], second[j : j + size], strict=True)


def orders_of_phases(a: graph.Graph, b: graph.Graph) -> tuple[list[str], list[str]]:
    """Return the phases of two sequences of play from the first that moved to the last; nothing if none moved."""
    first, second = (list(phases_of_sequence(each)) for each in (a, b))
    if [name for name in first if name in second] == [name for name in second if name in first]:
        return [], []
    beginning = _common_length(first, second)
    first, second = first[beginning:], second[beginning:]
    end = _common_length(first[::-1], second[::-1])
    return first[: len(first) - end], second[: len(second) - end]


def _common_length(first: list[str], second: list[str]) -> int:
    """Return the number of names with which both lists begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _match_stops(left: list[PlacedStep], right: list[PlacedStep]) -> Iterator[tuple[PlacedStep, PlacedStep]]:
    """Remove common stops from both lists, first those in the same phase."""
    for same in (lambda one, two: one.within == two.within, lambda *_: True):
        for stop in list(left):
            counterpart = next((other for other in right if other.key == stop.key and same(stop, other)), None)
            if counterpart is not None:
                left.remove(stop)
                right.remove(counterpart)
                yield stop, counterpart


def _stops_of(rules: graph.Graph) -> list[PlacedStep]:
    sequence = rules.procedures.get("sequence")
    found: list[PlacedStep] = []
    for stop in _stops(sequence.body if sequence else (), "", {}):
        # The preceding stop in the same phase is where a reader would look for it.
        last = next((other for other in reversed(found) if other.within == stop.within and other.kind != "step"), None)
        found.append(replace(stop, after=_end_of(last) if last else ""))
    return found


def _end_of(last: PlacedStep) -> str:
    """Return what a stop follows; behind the head of a loop it is the first stop of a round."""
    return f"each {last.name} begins" if last.kind == "each" else last.name


def _stops(steps: tuple[graph.Step, ...], within: str, names: dict[str, str]) -> Iterator[PlacedStep]:
    """Return the stops of a body; `names` maps the names around it, and is extended by those that its steps bind."""
    for step in steps:
        match step:
            case graph.Phase(name, _, body, cited):
                yield _place_step("phase", name, within, single_step(step), cited, names)
                yield from _stops(body, name, dict(names))
            case graph.Each(name, _, body, cited):
                yield _place_step("each", name, within, single_step(step), cited, names)
                yield from _stops(body, within, dict(names))
            case graph.Offer(actions, _, _, cited):
                for action in sorted(actions, key=lambda each: each[0]):
                    yield _place_step("offer", action[0], within, replace(step, actions=(action,)), cited, names)
            case graph.Do(name, _, cited):
                yield _place_step("do", name, within, step, cited, names)
            case graph.Loop(_, _, body):
                inner = dict(names)
                stop = _place_step("step", "", within, single_step(step), None, inner)
                body_stops = tuple(_stops(body, within, inner))
                yield replace(stop, body_names=_names(body_stops, within))
                yield from body_stops
            case graph.Branch(_, consequent, alternative):
                stop = _place_step("step", "", within, single_step(step), None, names)
                body_stops, alternative_stops = (
                    tuple(_stops(body, within, dict(names))) for body in (consequent, alternative)
                )
                yield replace(
                    stop, body_names=_names(body_stops, within), alternative_names=_names(alternative_stops, within)
                )
                yield from (*body_stops, *alternative_stops)
            case _:
                yield _place_step("step", "", within, step, None, names)


def _place_step(
    step_kind: str, name: str, within: str, step: graph.Step, cited: graph.Cited | None, names: dict[str, str]
) -> PlacedStep:
    """Build a stop; a step without a name is identified by its content, independent of its names.

    A name that it binds becomes the first, second, .. of those that such steps have bound around it.
    """
    binding = BINDING.get(type(step))
    bound = getattr(step, binding) if binding else ""
    (plain,) = without_names(without_citations((step,)), {**names, bound: "#"} if bound else dict(names))
    if bound:
        kind = f"#{type(step).__name__}"
        names[bound] = f"{kind}{sum(each.startswith(kind) for name, each in names.items() if name != bound)}"
    return PlacedStep(step_kind, name or repr(plain), within, "", step, cited, plain=plain)


def _names(stops: Iterable[PlacedStep], within: str) -> tuple[str, ...]:
    """Return the names of the stops directly in a phase, or outside all, not in nested phases."""
    return tuple(stop.name for stop in stops if stop.within == within and stop.kind != "step")
