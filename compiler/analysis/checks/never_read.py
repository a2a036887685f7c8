"""Statuses, tracks, relations and records that are never set or read, statuses never cleared, charts never looked up.

Only a whole game is examined: a shared layer declares what others set. Facts of the scenario are set by its card.
"""

from collections.abc import Iterator

from compiler.analysis.parties import Party, procedure_party
from compiler.analysis.problems import NeverCleared, NeverRead, NeverSet, NeverUsed, Problem
from compiler.analysis.readers_and_setters import DeclaredName, is_whole_game, readers_of, setters_of
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps


def never_read(stack: graph.Graph) -> Iterator[Problem]:
    """Find declared names that are only set, only read, or unused."""
    if not is_whole_game(stack):
        return
    readers, setters = readers_of(stack), setters_of(stack)
    for declared_name in _declared(stack.vocabulary):
        by_card = declared_name.name.startswith("scenario.")
        origin = stack.vocabulary.origins.get(f"{declared_name.kind} {declared_name.name}")
        match readers.get(declared_name, ()), setters.get(declared_name, ()):
            case (), ():
                yield NeverUsed(*declared_name, origin)
            case (), set_by:
                yield NeverRead(*declared_name, origin, set_by)
            case read_by, () if not by_card:
                yield NeverSet(*declared_name, origin, read_by)
            case _ if declared_name.kind == "status" and not stack.vocabulary.flags[declared_name.name].until:
                marking = _marking(stack, declared_name.name, on=True)
                if marking and not _marking(stack, declared_name.name, on=False):
                    yield NeverCleared(*declared_name, origin, marking)
    for table in stack.tables.values():
        if not readers.get(DeclaredName("chart", table.name)):
            yield NeverUsed("chart", table.name, table.origin)


def _marking(stack: graph.Graph, status: str, *, on: bool) -> tuple[Party, ...]:
    """Return the procedures that set a status, or those that clear it."""
    return tuple(
        procedure_party(procedure)
        for procedure in stack.procedures.values()
        if any(
            isinstance(step, graph.Mark) and step.on is on and f"{step.owner}.{step.status}" == status
            for step in nested_steps(procedure.body)
        )
    )


def _declared(words: graph.Vocabulary) -> Iterator[DeclaredName]:
    yield from (DeclaredName("status", name) for name, flag in words.flags.items() if flag.what == "status")
    yield from (DeclaredName("track", name) for name in words.tracks)
    yield from (DeclaredName("relation", name) for name in words.relations)
    yield from (DeclaredName("record", name) for name in words.records)
