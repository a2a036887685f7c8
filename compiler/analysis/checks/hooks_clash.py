"""Two hooks on one event that do not commute.

Where nothing says which of them runs first, neither may set what the other reads or sets; where pieces are
counts as one such thing. Marking the same status twice is the same as marking it once.
"""

from collections.abc import Iterator
from itertools import combinations

from compiler.analysis.problems import HooksClash, Problem
from compiler.analysis.steps import asked_by, steps
from compiler.analysis.usage import FACE, WHERE, Thing, looks_of, party_of, set_by
from runtime.graph import nodes as graph


def hooks_clash(stack: graph.Graph) -> Iterator[Problem]:
    """Find pairs of hooks whose order would matter."""
    places = {layer.name: place for place, layer in enumerate(stack.layers)}
    hooks = [(key, procedure) for key, procedure in stack.procedures.items() if procedure.what == "hook"]
    for (first, one), (second, other) in combinations(hooks, 2):
        if one.event != other.event or first in other.behind or second in one.behind:
            continue
        if things := _contested(one, other, stack):
            layers = {one.origin.layer, other.origin.layer}
            upper = max(layers, key=lambda layer: places.get(layer, 0)) if len(layers) > 1 else ""
            yield HooksClash(one.event, party_of(one), party_of(other), things, upper)


def _contested(one: graph.Procedure, other: graph.Procedure, stack: graph.Graph) -> tuple[str, ...]:
    """List what one sets and the other reads or sets."""
    sets = [_sets(hook, stack) for hook in (one, other)]
    marks = [_marks(hook, stack) for hook in (one, other)]
    contested = (sets[0] & _reads(other, stack)) | (sets[1] & _reads(one, stack))
    contested |= (sets[0] & sets[1]) - (marks[0] & marks[1])
    return tuple(sorted(f"{thing.what} {thing.name}".strip() for thing in contested))


def _steps(hook: graph.Procedure, stack: graph.Graph) -> Iterator[graph.Step]:
    """List the steps of a hook, those of the resolutions it does among them."""
    seen: set[str] = set()
    todo = [hook]
    while todo:
        for step in steps(todo.pop().body):
            yield step
            if isinstance(step, graph.Do) and step.resolution not in seen:
                seen.add(step.resolution)
                todo += [p for p in stack.procedures.values() if (p.what, p.name) == ("resolution", step.resolution)]


def _sets(hook: graph.Procedure, stack: graph.Graph) -> set[Thing]:
    cleared = (
        Thing("status", f"{step.owner}.{step.status}")
        for step in _steps(hook, stack)
        if isinstance(step, graph.Mark) and not step.on
    )
    return {thing for step in _steps(hook, stack) for thing in (*set_by(step), *_taken(step))} | set(cleared)


def _taken(step: graph.Step) -> Iterator[Thing]:
    """List what a step takes away, or takes elsewhere."""
    match step:
        case graph.Move() | graph.Create() | graph.Remove():
            yield WHERE
        case graph.Flip():
            yield FACE
        case graph.Pair(relation, on=False):
            yield Thing("relation", relation)
        case _:
            pass


def _marks(hook: graph.Procedure, stack: graph.Graph) -> set[Thing]:
    """List the statuses a hook only marks, or only clears: setting them twice is no harm."""
    ways: dict[Thing, set[bool]] = {}
    for step in _steps(hook, stack):
        if isinstance(step, graph.Mark):
            ways.setdefault(Thing("status", f"{step.owner}.{step.status}"), set()).add(step.on)
    return {thing for thing, on in ways.items() if on == {True}}


def _reads(hook: graph.Procedure, stack: graph.Graph) -> set[Thing]:
    asked = (expr for step in _steps(hook, stack) for expr in asked_by(step))
    return {thing for expr in asked for thing in looks_of(expr, stack)}
