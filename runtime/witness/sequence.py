"""Compare two sequences of play: stops that only one of them has, or in another order.

The input is the steps of two sequences; the output is their stops, matched. A stop is anything that can be reached: a
phase, a loop of the clock, each offered action, a resolution, any other step. Stops in both, in the same phase and
order, are no difference; one elsewhere was moved; one with different conditions has changed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import BINDING, without_citations, without_names
from runtime.graph.steps import single_step


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
    first_keys, second_keys = ([(stop.key, stop.within) for stop in stops] for stops in (first_stops, second_stops))
    blocks = SequenceMatcher(None, first_keys, second_keys, autojunk=False).get_matching_blocks()
    pairs = [(first_stops[i + k], second_stops[j + k]) for i, j, size in blocks for k in range(size)]
    left = [stop for stop in first_stops if all(stop is not pair[0] for pair in pairs)]
    right = [stop for stop in second_stops if all(stop is not pair[1] for pair in pairs)]
    found = tuple(_match_stops(left, right))
    moved_phases = {stop.name for stop, _ in found if stop.kind == "phase"}
    moved = tuple(pair for pair in found if pair[0].within != pair[1].within or pair[0].within not in moved_phases)
    changed = tuple(pair for pair in (*pairs, *found) if pair[0].plain != pair[1].plain)
    return SequenceDifference(tuple(left), tuple(right), moved, changed)


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
