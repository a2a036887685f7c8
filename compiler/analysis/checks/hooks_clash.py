"""Two hooks on one event that do not commute.

Nothing says which of them runs first, so neither may set what the other reads or sets. Marking the
same status twice is the same as marking it once.
"""

from collections.abc import Iterator
from itertools import combinations

from compiler.analysis.problems import HooksClash, Problem
from compiler.analysis.steps import asked_by, steps
from compiler.analysis.usage import Thing, looks_of, party_of, set_by
from runtime.graph import nodes as graph


def hooks_clash(stack: graph.Graph) -> Iterator[Problem]:
    """Find pairs of hooks whose order would matter."""
    hooks = [procedure for procedure in stack.procedures.values() if procedure.what == "hook"]
    for one, other in combinations(hooks, 2):
        if one.event == other.event and (things := _contested(one, other, stack)):
            yield HooksClash(one.event, party_of(one), party_of(other), things)


def _contested(one: graph.Procedure, other: graph.Procedure, stack: graph.Graph) -> tuple[str, ...]:
    """List what one sets and the other reads or sets."""
    sets = [_sets(hook, stack) for hook in (one, other)]
    marks = [_marks(hook, stack) for hook in (one, other)]
    contested = (sets[0] & _reads(other, stack)) | (sets[1] & _reads(one, stack))
    contested |= (sets[0] & sets[1]) - (marks[0] & marks[1])
    return tuple(sorted(f"{thing.what} {thing.name}" for thing in contested))


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
    return {thing for step in _steps(hook, stack) for thing in set_by(step)} | set(cleared)


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
