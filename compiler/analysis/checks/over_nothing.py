"""A step that goes through a collection without members, so that it never does anything."""

from collections.abc import Iterator

from compiler.analysis.normal import is_empty
from compiler.analysis.problems import OverNothing, Party, Problem
from compiler.analysis.usage import party_of
from compiler.analysis.words import written_out
from runtime.graph import nodes as graph


def over_nothing(stack: graph.Graph) -> Iterator[Problem]:
    """Find loops over nothing and choices from nothing."""
    for procedure in stack.procedures.values():
        for step, party in _placed(procedure.body, party_of(procedure)):
            match step:
                case graph.Loop(name, source):
                    said = f"for each {name}"
                case graph.Each(name, source):
                    said = f"each {name}"
                case graph.Choose(how, name, source):
                    said = f"choose {how} {name}".replace("  ", " ")
                case _:
                    continue
            if is_empty(source):
                yield OverNothing(party, said, written_out(source, {}, stack.vocabulary))


def _placed(body: tuple[graph.Step, ...], party: Party) -> Iterator[tuple[graph.Step, Party]]:
    """List steps with where they stand: a phase that cites was perhaps written elsewhere than the sequence."""
    for step in body:
        yield step, party
        match step:
            case graph.Phase(name, _, inner, cited) if cited is not None:
                yield from _placed(inner, Party(f"phase {name}", "", cited.cites, cited.origin))
            case graph.Loop(body=inner) | graph.Each(body=inner) | graph.Phase(body=inner):
                yield from _placed(inner, party)
            case graph.Branch(_, then, orelse):
                yield from _placed((*then, *orelse), party)
            case _:
                pass
