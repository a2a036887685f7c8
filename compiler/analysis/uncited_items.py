"""Which items of the source documents nothing in a stack cites: a count, not a problem.

Sources hold history and introductions too, and another stack may cite what this one does not.
"""

from collections.abc import Iterator

from compiler.analysis.problems import UncitedItems
from compiler.analysis.steps import steps
from runtime.graph import nodes as graph


def uncited_items(stack: graph.Graph) -> Iterator[UncitedItems]:
    """Compare each section of each document with all citations of a stack."""
    cited = set(citations(stack))
    for document in stack.documents:
        for section, count in document.sections:
            items = [f"{document.prefix}.{section}.{number:02d}" for number in range(1, count + 1)]
            left = tuple(item for item in items if item not in cited)
            if left:
                yield UncitedItems(document.title, section, left, count)


def citations(stack: graph.Graph) -> Iterator[str]:
    """List everything a stack cites."""
    for rule in stack.rules.values():
        yield from rule.cites
    for term in stack.terms.values():
        yield from term.cites
    for procedure in stack.procedures.values():
        yield from procedure.cites
        yield from (cite for step in steps(procedure.body) if isinstance(step, graph.Phase) for cite in step.cites)
    for counter in stack.counters.values():
        yield from counter.cites
    for fact in stack.always:
        yield from fact.cites
    for layer in stack.layers:
        yield from layer.cites
    for ruling in stack.rulings.values():
        yield from ruling.cites
    for table in stack.tables.values():
        yield from table.cites
        yield from (cite for row in table.rows for cite in row.cites)
    for dispute in stack.disputes.values():
        yield from dispute.cites
        yield from (cite for reading in dispute.readings for cite in reading.cites)
    if stack.scenario is not None:
        yield from stack.scenario.cites
        yield from (cite for force in stack.scenario.forces for cite in force.cites)
