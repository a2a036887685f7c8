"""Steps that iterate over a collection without members, so that they never do anything."""

from collections.abc import Iterator

from compiler.analysis.expression_text import written_out
from compiler.analysis.normal_form import is_empty
from compiler.analysis.problems import OverNothing, Problem
from compiler.analysis.readers_and_setters import step_at
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps


def over_nothing(stack: graph.Graph) -> Iterator[Problem]:
    """Find loops over empty collections and choices from them."""
    for procedure in stack.procedures.values():
        for step in nested_steps(procedure.body):
            match step:
                case graph.Loop(name, source):
                    step_text = f"for each {name}"
                case graph.Each(name, source):
                    step_text = f"each {name}"
                case graph.Choose(mode, name, source):
                    step_text = f"choose {mode} {name}".replace("  ", " ")
                case graph.Draw(mode, name, source):
                    step_text = f"draw {mode} {name}".replace("  ", " ")
                case _:
                    continue
            if is_empty(source):
                yield OverNothing(*step_at(procedure, step), step_text, written_out(source, {}, stack.vocabulary))
