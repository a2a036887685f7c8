"""A procedure that nothing starts: an action never offered, a resolution never done, a hook never called."""

from collections.abc import Iterator

from compiler.analysis.problems import NeverRuns, Problem
from compiler.analysis.usage import is_whole_game, party_of
from compiler.analysis.walk import all_steps
from runtime.graph import nodes as graph


def never_runs(stack: graph.Graph) -> Iterator[Problem]:
    """Find procedures that play never comes to; a stack without a sequence is no game yet."""
    if not is_whole_game(stack):
        return
    started: set[tuple[str, str]] = set()
    for step in all_steps(stack):
        match step:
            case graph.Offer(actions):
                started |= {("action", name) for name, _ in actions}
            case graph.Do(resolution):
                started.add(("resolution", resolution))
            case graph.Tell(event):
                started.add(("hook", event))
            case _:
                pass
    for procedure in stack.procedures.values():
        name = procedure.event if procedure.what == "hook" else procedure.name
        if procedure.what != "sequence" and (procedure.what, name) not in started:
            yield NeverRuns(procedure.what, party_of(procedure))
