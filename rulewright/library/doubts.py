"""What of the declarations of a stack hinders nobody, and is hardly meant."""

from collections.abc import Iterator

from compiler.layered.choose import choose_layers, excluded_in_vain, parse_request
from compiler.report.diagnose import Problem
from compiler.typed.alike import alike
from rulewright.library.stacks import Stack


def doubts(stack: Stack) -> Iterator[Problem]:
    """Find layers that are kept apart from none, and what reads like something else."""
    chosen, _ = choose_layers(stack.library.layers, parse_request(stack.name))
    yield from excluded_in_vain(stack.library.layers, chosen)
    if stack.world is not None and stack.graph is not None:
        layers = {file.name: name for name, files in stack.library.files.items() for file in files}
        yield from alike(stack.world, stack.graph.counters.values(), layers)
