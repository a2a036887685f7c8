"""A ruling that only confirms, and shows no example in which it does."""

from collections.abc import Iterator

from compiler.analysis.problems import Party, Problem, UnshownClarification
from runtime.graph import nodes as graph


def unshown_clarification(stack: graph.Graph) -> Iterator[Problem]:
    """Find clarifications that no example stands behind."""
    shown = {example.protects for example in stack.examples}
    for ruling in stack.rulings.values():
        if ruling.kind == "clarification" and not shown & {ruling.label, *ruling.rules}:
            yield UnshownClarification(Party(ruling.label, ruling.answers, ruling.cites, ruling.origin))
