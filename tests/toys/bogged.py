"""The carts in a bog, compiled from the sources in bog/."""

from functools import cache
from pathlib import Path

from compiler.compile import compile_stack
from compiler.source.package import discover_layers
from runtime.graph import nodes as graph

SOURCES = Path(__file__).parent / "bog"


@cache
def bog() -> graph.Graph:
    """Compile the game."""
    library, problems = discover_layers([SOURCES])
    compiled = compile_stack(library, "bog")
    assert not problems, problems
    assert compiled.graph, compiled.problems
    return compiled.graph
