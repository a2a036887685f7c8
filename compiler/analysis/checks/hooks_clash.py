"""Pairs of hooks on one event that do not commute.

Where their order is not stated, neither may set what the other reads or sets; the places of pieces count as one slot.
Marking the same status twice is idempotent.
"""

from collections.abc import Iterator
from itertools import combinations

from compiler.analysis.problems import HooksClash, Problem
from compiler.analysis.readers_and_setters import FACE, WHERE, DeclaredName, looks_of, party_of, set_by
from compiler.analysis.step_reads import expressions_read, nested_steps
from runtime.graph import nodes as graph

# Records of an unknown type.
RECORDS = DeclaredName("record", "")


def hooks_clash(stack: graph.Graph) -> Iterator[Problem]:
    """Find pairs of hooks whose order would matter."""
    places = {layer.name: place for place, layer in enumerate(stack.layers)}
    by_event: dict[str, list[_Hook]] = {}
    for key, procedure in stack.procedures.items():
        if procedure.what == "hook":
            by_event.setdefault(procedure.event, []).append(_Hook(key, procedure, stack))
    for here, there in (pair for hooks in by_event.values() for pair in combinations(hooks, 2)):
        one, other = here.procedure, there.procedure
        if here.key in other.behind or there.key in one.behind:
            continue
        if things := _contested(here, there):
            layers = {one.origin.layer, other.origin.layer}
            upper = max(layers, key=lambda layer: places.get(layer, 0)) if len(layers) > 1 else ""
            yield HooksClash(one.event, party_of(one), party_of(other), things, upper)


class _Hook:
    """A hook, with the slots that it sets, only marks, and reads."""

    def __init__(self, key: str, procedure: graph.Procedure, stack: graph.Graph) -> None:
        self.key = key
        self.procedure = procedure
        self.sets = _sets(procedure, stack)
        self.marks = _marks(procedure, stack)
        self.reads = _reads(procedure, stack)


def _contested(one: _Hook, other: _Hook) -> tuple[str, ...]:
    """List the slots that one hook sets and the other reads or sets."""
    contested = (one.sets & other.reads) | (other.sets & one.reads)
    contested |= (one.sets & other.sets) - (one.marks & other.marks)
    return tuple(sorted(f"{thing.what} {thing.name}".strip() for thing in contested))


def _steps(hook: graph.Procedure, stack: graph.Graph) -> Iterator[graph.Step]:
    """List the steps of a hook, and those of the resolutions that it calls."""
    seen: set[str] = set()
    todo = [hook]
    while todo:
        for step in nested_steps(todo.pop().body):
            yield step
            if isinstance(step, graph.Do) and step.resolution not in seen:
                seen.add(step.resolution)
                todo += [p for p in stack.procedures.values() if (p.what, p.name) == ("resolution", step.resolution)]


def _sets(hook: graph.Procedure, stack: graph.Graph) -> set[DeclaredName]:
    cleared = (
        DeclaredName("status", f"{step.owner}.{step.status}")
        for step in _steps(hook, stack)
        if isinstance(step, graph.Mark) and not step.on
    )
    found = {thing for step in _steps(hook, stack) for thing in (*set_by(step), *taken_by(step))} | set(cleared)
    if RECORDS in found:
        # Which records are struck or changed is not analyzed: they are among those that the hook reads.
        found.remove(RECORDS)
        found |= {thing for thing in _reads(hook, stack) if thing.what == "record"}
    return found


def taken_by(step: graph.Step) -> Iterator[DeclaredName]:
    """List the slots that a step clears or moves."""
    match step:
        case graph.Move() | graph.Create() | graph.Remove():
            yield WHERE
        case graph.Flip():
            yield FACE
        case graph.Strike():
            yield RECORDS
        case graph.Assign(graph.Get(_, "record", owner)) | graph.Add(_, graph.Get(_, "record", owner)):
            yield DeclaredName("record", owner)
        case graph.Pair(relation, on=False):
            yield DeclaredName("relation", relation)
        case _:
            pass


def _marks(hook: graph.Procedure, stack: graph.Graph) -> set[DeclaredName]:
    """Return the statuses that a hook marks and never clears: to set them twice is harmless."""
    ways: dict[DeclaredName, set[bool]] = {}
    for step in _steps(hook, stack):
        if isinstance(step, graph.Mark):
            ways.setdefault(DeclaredName("status", f"{step.owner}.{step.status}"), set()).add(step.on)
    return {thing for thing, on in ways.items() if on == {True}}


def _reads(hook: graph.Procedure, stack: graph.Graph) -> set[DeclaredName]:
    asked = (expr for step in _steps(hook, stack) for expr in expressions_read(step))
    return {thing for expr in asked for thing in looks_of(expr, stack)}
