"""Statuses, tracks, relations and records that are never set or read, statuses never cleared, charts never looked up.

Only a whole game is examined: a shared layer declares what others set. Facts of the scenario are set by its card.
"""

from collections.abc import Iterator

from compiler.analysis.parties import Party
from compiler.analysis.problems import NeverCleared, NeverRead, NeverSet, NeverUsed, Problem
from compiler.analysis.readers_and_setters import DeclaredName, is_whole_game, party_of, readers_of, setters_of
from compiler.analysis.step_reads import nested_steps
from runtime.graph import nodes as graph


def never_read(stack: graph.Graph) -> Iterator[Problem]:
    """Find declared names that are only set, only read, or unused."""
    if not is_whole_game(stack):
        return
    readers, setters = readers_of(stack), setters_of(stack)
    for thing in _declared(stack.vocabulary):
        by_card = thing.name.startswith("scenario.")
        declared = stack.vocabulary.origins.get(f"{thing.what} {thing.name}")
        match readers.get(thing, ()), setters.get(thing, ()):
            case (), ():
                yield NeverUsed(*thing, declared)
            case (), set_by:
                yield NeverRead(*thing, declared, set_by)
            case read_by, () if not by_card:
                yield NeverSet(*thing, declared, read_by)
            case _ if thing.what == "status" and not stack.vocabulary.flags[thing.name].until:
                marking = _marking(stack, thing.name, on=True)
                if marking and not _marking(stack, thing.name, on=False):
                    yield NeverCleared(*thing, declared, marking)
            case _:
                pass
    for table in stack.tables.values():
        if not readers.get(DeclaredName("chart", table.name)):
            yield NeverUsed("chart", table.name, table.origin)


def _marking(stack: graph.Graph, status: str, *, on: bool) -> tuple[Party, ...]:
    """Return the procedures that set a status, or those that clear it."""
    return tuple(
        party_of(procedure)
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
